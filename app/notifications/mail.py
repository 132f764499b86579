"""Mails: as text and as HTML with pictures inside, over SMTP."""

import asyncio
import logging
from email.message import EmailMessage
from email.utils import formatdate, parseaddr

import aiosmtplib
import jinja2

from app.config import ROOT, Settings
from app.notifications.config import MailSettings, mail_settings
from app.notifications.sending import Message, NotSent
from app.texts import Texts

log = logging.getLogger(__name__)

REFUSED = 500  # SMTP's codes from here on are for good

_jinja = jinja2.Environment(
    loader=jinja2.FileSystemLoader(ROOT / "templates/mail"),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def works(settings: Settings) -> bool:
    """Whether this process can send mail."""
    smtp = mail_settings()
    return bool(smtp.host and smtp.sender and settings.url)


def notices(message: Message) -> EmailMessage:
    """The mail of a message, with the headers by which mail programs offer to end such mails."""
    t, stop = message.t, message.link(f"/unsubscribe/{message.token}")
    mail = _new(message.to, message.subject, message.id)
    mail["List-Unsubscribe"] = f"<{stop}>"
    mail["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    settings = message.link("/account/notifications")
    text = [message.plain(), "--", f"{t('notice.mail_why')} {settings}", f"{t('notice.mail_stop')} {stop}"]
    mail.set_content("\n\n".join(text))
    pictures = {item.notice: f"position-{item.notice}" for item in message.items if item.picture}
    html = _jinja.get_template("notices.html").render(
        t=t, message=message, pictures=pictures, settings=settings, stop=stop
    )
    mail.add_alternative(html, subtype="html")
    page = mail.get_payload(1)
    assert isinstance(page, EmailMessage)
    for item in message.items:
        if item.picture:
            name = pictures[item.notice]
            page.add_related(item.picture, "image", "png", cid=f"<{name}>", filename=f"{name}.png",
                             disposition="inline")  # fmt: skip
    return mail


def reset(to: str, t: Texts, name: str, link: str) -> EmailMessage:
    """The mail with the link for a new password."""
    mail = _new(to, t("reset_mail.subject"), None)
    mail.set_content("\n\n".join((t("reset_mail.hello", name=name), link, t("reset_mail.ignore"))))
    mail.add_alternative(_jinja.get_template("reset.html").render(t=t, name=name, link=link), subtype="html")
    return mail


def proof(to: str, t: Texts, site: str, link: str) -> EmailMessage:
    """The mail with the link that proves an address: no word of it comes from whoever named the address."""
    mail = _new(to, t("proof_mail.subject"), None)
    mail.set_content("\n\n".join((t("proof_mail.hello", site=site), link, t("proof_mail.ignore"))))
    mail.add_alternative(_jinja.get_template("proof.html").render(t=t, site=site, link=link), subtype="html")
    return mail


def _new(to: str, subject: str, id_: str | None) -> EmailMessage:
    sender = mail_settings().sender
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, " ".join(subject.split())
    mail["Date"] = formatdate(usegmt=True)
    mail["Auto-Submitted"] = "auto-generated"
    if id_:
        mail["Message-ID"] = f"<{id_}@{parseaddr(sender)[1].partition('@')[2] or 'localhost'}>"
    return mail


async def send(mail: EmailMessage) -> None:
    """Raises NotSent, also when the mail server takes longer than two steps may."""
    smtp: MailSettings = mail_settings()
    try:
        async with asyncio.timeout(2 * smtp.timeout):
            await aiosmtplib.send(
                mail, hostname=smtp.host, port=smtp.port, username=smtp.user or None,
                password=smtp.password.get_secret_value() or None, use_tls=smtp.tls == "on",
                start_tls=smtp.tls == "start", timeout=smtp.timeout)  # fmt: skip
    except aiosmtplib.SMTPRecipientsRefused as refused:
        worst = max(one.code for one in refused.recipients)
        raise NotSent(str(refused.recipients[0].message), for_good=worst >= REFUSED, refused=True) from refused
    except aiosmtplib.SMTPAuthenticationError as refused:  # the admin's fault, and to be mended
        log.error("the mail server refuses our name and password")
        raise NotSent(str(refused), refused=True) from refused
    except aiosmtplib.SMTPResponseException as refused:
        raise NotSent(f"{refused.code} {refused.message}", for_good=refused.code >= REFUSED, refused=True) from refused
    except (aiosmtplib.SMTPException, OSError) as fault:
        raise NotSent(str(fault) or type(fault).__name__) from fault

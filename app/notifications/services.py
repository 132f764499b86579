"""What may stand in the address of an Apprise service, service by service.

The library's addresses take parameters that name files of this machine (templates, keys), have it wait and try again,
or keep things on its disk. So nothing counts but what is listed here: a service that is not gets no parameters at all.
"""

from collections.abc import Mapping
from typing import Any

FOR_ALL = frozenset({"verify", "format", "overflow", "emojis"})

_HOOK = frozenset({"method"})
_TO = frozenset({"to"})

# By the library's name of the service; the class of what may be asked of the service itself.
ALLOWED: Mapping[str, frozenset[str]] = {
    "NotifyAppriseAPI": frozenset({"tags", "to"}),
    "NotifyBark": frozenset({"to", "sound", "level", "group", "category", "icon", "badge", "click"}),
    "NotifyDiscord": frozenset({"avatar", "avatar_url", "footer", "image", "thread", "tts", "ping", "fields", "flags"}),
    "NotifyForm": _HOOK | {"attach-as"},
    "NotifyGoogleChat": frozenset({"workspace", "key", "token", "thread"}),
    "NotifyGotify": frozenset({"priority"}),
    "NotifyHomeAssistant": frozenset({"nid", "prefix", "token", "to"}),
    "NotifyIFTTT": _TO,
    "NotifyJSON": _HOOK,
    "NotifyMastodon": frozenset({"to", "token", "visibility", "sensitive", "spoiler", "language", "ping"}),
    "NotifyMatrix": frozenset({"mode", "version", "msgtype", "token", "to", "image", "discovery"}),
    "NotifyMattermost": frozenset({"mode", "channel", "channels", "to", "team", "image", "botname", "icon_url"}),
    "NotifyNextcloud": frozenset({"to", "version", "url_prefix"}),
    "NotifyNextcloudTalk": frozenset({"url_prefix", "silent"}),
    "NotifyNtfy": frozenset({"to", "mode", "priority", "tags", "xtags", "click", "auth", "token", "email", "image",
                             "avatar_url"}),
    "NotifyPushBullet": _TO,
    "NotifyPushover": frozenset({"to", "sound", "priority", "url", "url_title", "expire"}),
    "NotifyPushy": frozenset({"to", "sound", "badge"}),
    "NotifyRevolt": frozenset({"channel", "to", "icon_url", "url"}),
    "NotifyRocketChat": frozenset({"avatar", "mode", "webhook", "to"}),
    "NotifySignalAPI": frozenset({"from", "to", "status"}),
    "NotifySlack": frozenset({"mode", "token", "to", "image", "footer", "blocks", "timestamp"}),
    "NotifyTelegram": frozenset({"to", "thread", "topic", "silent", "preview", "image", "detect", "mdv", "content"}),
    "NotifyWebexTeams": frozenset({"mode", "token", "to"}),
    "NotifyWorkflows": frozenset({"id", "image", "route", "routeid", "sig", "ver", "api-version", "wrap", "pa",
                                  "powerautomate"}),
    "NotifyXML": _HOOK,
    "NotifyZulip": frozenset({"token", "to"}),
}  # fmt: skip
FREE = frozenset({"NotifyForm", "NotifyJSON", "NotifyXML"})  # webhooks: headers (+) and fields (:, -) of their own
NEVER = frozenset({"NotifyVapid", "NotifyFCM", "NotifySES"})  # keep keys in files, or look for them there


def allowed(name: str, parsed: Mapping[str, Any]) -> bool:
    """Whether nothing stands in an address but what may, for the service of this class and its parsed address."""
    free = {f"{sign}{key}".lower() for sign in "+-:" for key in parsed.get(f"qsd{sign}", {})}
    if free and name not in FREE:
        return False
    plain = {key for key in parsed.get("qsd", {}) if key.lower() not in free}
    return name not in NEVER and plain <= FOR_ALL | ALLOWED.get(name, frozenset())

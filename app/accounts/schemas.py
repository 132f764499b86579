"""What the account calls take and give."""

from datetime import datetime
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, EmailStr, Field, StringConstraints

Lang = Literal["en", "es", "it", "pt"]
Theme = Literal["auto", "light", "dark", "contrast"]
Name = Annotated[
    str, StringConstraints(strip_whitespace=True, min_length=3, max_length=24, pattern=r"^[^\W_]+([ ._'-][^\W_]+)*$")
]
Password = Annotated[str, StringConstraints(min_length=10, max_length=200)]
Mail = Annotated[EmailStr | None, BeforeValidator(lambda mail: mail or None)]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class SignUp(Strict):
    name: Name
    mail: Mail = Field(default=None, description="Optional; only the person and the admins see it.")
    password: Password


class SignIn(Strict):
    name: str = Field(max_length=200, description="The name or the mail address.")
    password: str = Field(max_length=200)


class Preferences(Strict):
    lang: Lang | None = None
    theme: Theme | None = None


class NewMail(Strict):
    mail: Mail
    password: str = Field(max_length=200, description="The present password.")


class NewPassword(Strict):
    password: str = Field(max_length=200, description="The present password.")
    new: Password


class PasswordOnly(Strict):
    password: str = Field(max_length=200)


class LinkPassword(Strict):
    new: Password


class Account(BaseModel):
    """One's own account."""

    model_config = ConfigDict(from_attributes=True)

    name: str
    mail: str | None
    mail_wish: str | None = Field(description="An address that is used once a link in a mail to it was followed.")
    lang: Lang
    theme: Theme
    is_admin: bool
    roles: list[str]
    created_at: datetime


class SessionCard(BaseModel):
    """A browser that is signed in."""

    agent: str
    created_at: datetime
    seen_at: datetime
    this: bool

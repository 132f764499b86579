"""What admins may do with accounts."""

from datetime import datetime

from pydantic import BaseModel, ConfigDict
from sqlalchemy.ext.asyncio import AsyncSession

from app.accounts import repository
from app.accounts.models import User
from app.accounts.service import make_link
from app.errors import NotFound


class UserRow(BaseModel):
    """An account as an admin sees it."""

    model_config = ConfigDict(from_attributes=True)

    id: int
    name: str
    mail: str | None
    is_admin: bool
    created_at: datetime


async def list_users(session: AsyncSession) -> list[UserRow]:
    return [UserRow.model_validate(user) for user in await repository.users(session)]


async def reset_link(session: AsyncSession, user_id: int) -> tuple[str, str]:
    """The user's name, and a token with which a new password can be set, once. Raises NotFound."""
    user = await _user(session, user_id)
    return user.name, await make_link(session, "reset", user.id)


async def make_admin(session: AsyncSession, user_id: int) -> None:
    """Raises NotFound."""
    (await _user(session, user_id)).is_admin = True


async def _user(session: AsyncSession, user_id: int) -> User:
    user = await session.get(User, user_id)
    if user is None or user.deleted_at:
        raise NotFound
    return user

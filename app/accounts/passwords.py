"""Password hashing with argon2: slow on purpose, so beside the event loop and two at a time."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from pwdlib import PasswordHash

_hasher = PasswordHash.recommended()
_threads = ThreadPoolExecutor(2, "argon2")


async def hashed(password: str) -> str:
    return await asyncio.get_running_loop().run_in_executor(_threads, _hasher.hash, password)


async def verified(password: str, stored: str | None) -> tuple[bool, str | None]:
    """Whether the password is right, and a new hash to store if the old one is weak by now.
    Without a stored hash it takes as long, so that the time tells nothing about who has an account."""
    loop = asyncio.get_running_loop()
    if stored is None:
        await loop.run_in_executor(_threads, _hasher.hash, password)
        return False, None
    return await loop.run_in_executor(_threads, _hasher.verify_and_update, password, stored)

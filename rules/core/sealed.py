"""Small things made in numbers, and never changed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def sealed(cls: type[T]) -> type[T]:
    """A dataclass with slots that nobody changes. The type checker sees to that, not the running program: a frozen
    dataclass takes four times as long to make, and an answer makes dozens of forms, options and groups."""
    return dataclass(slots=True)(cls)

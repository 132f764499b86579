"""Stored positions of older schemas, brought up to the present one."""

from __future__ import annotations

from rules.core.title import Upgrade

UPGRADES: dict[int, Upgrade] = {}

"""Stored positions of older schemas, brought up to date: schema number -> function. Schema 1 is the first."""

from __future__ import annotations

from rules.core.title import Upgrade

UPGRADES: dict[int, Upgrade] = {}

"""Profiles, friends, blocks, direct messages, reports."""

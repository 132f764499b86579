"""Leagues, tournaments, ratings."""

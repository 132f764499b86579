"""Who plays: accounts, sessions, one-time links, rate limits."""

"""The server: accounts, lobby, games. Knows HTTP, PostgreSQL and the clock; the rules know none of them."""

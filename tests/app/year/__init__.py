"""A year of the league server in minutes: people, their habits, mail that fails, and a server that is killed."""

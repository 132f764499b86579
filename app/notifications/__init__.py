"""What tells players that a game waits for them: mail, push and other services."""

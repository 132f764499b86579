"""What is shown of a game that is over: its result card, and the rematch."""

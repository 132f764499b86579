"""What two titles share. Code moves here when the second title needs it, and nothing is inherited."""

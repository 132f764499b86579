"""Standing orders: answers a player leaves with the server for decisions to come."""

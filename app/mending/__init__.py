"""Games whose record the rules no longer fit, and the choice that their players have."""

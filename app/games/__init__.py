"""Games: the record kept, the referee run, the players told."""

"""Finding, making and joining games."""

"""A title's rules to read: its clauses in our words by chapter, its rulings, worked examples and tables."""

"""Lessons: a position, what is asked of it step by step, and what is said to each answer."""

"""Outcomes to cards: one card per file, pure functions."""

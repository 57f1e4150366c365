"""Countersign in a terminal: one question, or a chat."""

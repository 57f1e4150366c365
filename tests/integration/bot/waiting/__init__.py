"""Turns that wait, over the real inbox."""

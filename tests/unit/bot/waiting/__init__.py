"""Turns that wait."""

"""Stores on Redis."""

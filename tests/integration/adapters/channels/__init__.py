"""Channels over a real control database."""

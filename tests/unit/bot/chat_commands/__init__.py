"""Tests of the chat commands."""

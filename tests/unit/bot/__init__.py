"""Unit tests of the application."""

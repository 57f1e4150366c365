"""Unit tests of the demo."""

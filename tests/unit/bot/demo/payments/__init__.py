"""Unit tests of the payments generator."""

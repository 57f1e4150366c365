"""Unit tests of the scrap prices generator."""

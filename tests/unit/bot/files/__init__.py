"""Unit tests of files given in a thread."""

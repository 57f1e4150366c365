"""Tests of the MySQL adapter that need no server."""

"""Tests of the application over real stores."""

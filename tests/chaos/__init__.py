"""Tests: a whole deployment, and everything that can go wrong around it."""

"""Tests of SQL: compiled, checked, decided."""

"""Tests of the compiler from specs to SQL."""

"""Tests of several parts together, on real servers."""

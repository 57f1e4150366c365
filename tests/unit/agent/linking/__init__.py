"""Tests of schema linking."""

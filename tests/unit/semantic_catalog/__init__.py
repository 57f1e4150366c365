"""Tests of the semantic catalog."""

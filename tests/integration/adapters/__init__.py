"""Tests of the adapters against what they adapt."""

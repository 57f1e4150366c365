"""Tests: scenario."""

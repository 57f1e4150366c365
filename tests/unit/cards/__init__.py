"""Tests of the cards and their renderers."""

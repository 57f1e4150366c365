"""Tests of the evaluation of answers."""

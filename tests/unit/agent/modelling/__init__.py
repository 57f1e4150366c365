"""Tests of what models are asked and how their answers are checked."""

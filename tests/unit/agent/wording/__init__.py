"""Tests of the words the product says."""

"""Tests of embeddings made in the process."""

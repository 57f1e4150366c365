"""Catalog rules, one per file."""

"""Warehouses."""

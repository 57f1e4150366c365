"""Stores on PostgreSQL."""

"""Dedupe, limits, caches and flags on Redis or Valkey."""

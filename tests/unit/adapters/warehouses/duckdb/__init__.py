"""Tests of the DuckDB adapter."""

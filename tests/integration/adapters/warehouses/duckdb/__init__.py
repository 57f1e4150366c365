"""The DuckDB warehouse against real files."""

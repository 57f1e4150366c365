"""DuckDB as a warehouse: files, and tables held in memory."""

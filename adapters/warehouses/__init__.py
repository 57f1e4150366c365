"""Where governed SQL runs, read only."""

"""The analyst: two graphs, understanding, governed SQL and analysis; it knows no channel and no driver."""

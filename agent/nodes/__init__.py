"""The steps of the two graphs, one per file."""

"""The parts of a drawn chart: its data, its looks and one drawing per kind."""

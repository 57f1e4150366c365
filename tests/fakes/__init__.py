"""Stand-ins of the outside world, each passing its port's contract suite."""

"""The guard's rules, one per file."""

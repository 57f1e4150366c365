"""The outside world, one folder a system."""

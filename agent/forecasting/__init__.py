"""What a series may do next: history checked, models tried on its own past, the best one with its intervals."""

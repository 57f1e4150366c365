"""The policy: its file, its people, and who signs."""

"""Validators of what the platforms accept, reused by the stand-ins."""

"""What a thread remembers."""

"""What doctor asks of chat platforms."""

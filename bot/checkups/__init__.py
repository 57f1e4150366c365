"""What 'countersign doctor' asks of the chat platforms."""

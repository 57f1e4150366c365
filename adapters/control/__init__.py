"""Where the product keeps its own state."""

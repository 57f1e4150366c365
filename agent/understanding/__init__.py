"""From a message to a QuerySpec, by rules."""

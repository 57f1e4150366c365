"""From a QuerySpec or a text to a governed query."""

"""Who reads along: what may stand in front of others, what goes to its asker alone, and how that is shared."""

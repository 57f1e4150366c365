"""Who reads along: what may stand in front of others."""

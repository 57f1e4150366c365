"""Who may read what, at what cost, and who may sign for it: the written policy."""

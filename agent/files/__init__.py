"""Files given in a thread as tables: what they are, how they are written, and their rows by type. Nothing is run."""

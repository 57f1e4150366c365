"""Files given in a thread: fetched, kept, read, shown to confirm, and offered as domains of that thread alone."""

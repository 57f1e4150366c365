"""Row rules on real engines: the same answer whether the forbidden rows exist or not."""

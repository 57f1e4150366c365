"""From a resolved question to one SQL tree and the columns it returns."""

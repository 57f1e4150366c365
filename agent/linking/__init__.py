"""Schema linking: which part of a catalog a question is about, by words and by meaning, on catalogs of any size."""

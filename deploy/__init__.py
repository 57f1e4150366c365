"""Files that put the product into production."""

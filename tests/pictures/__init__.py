"""The pictures of the documentation, taken from the product itself."""

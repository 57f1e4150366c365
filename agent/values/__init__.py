"""The frozen values that every part of the product speaks."""

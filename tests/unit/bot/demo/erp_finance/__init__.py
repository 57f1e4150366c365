"""Unit tests of the ERP generator."""

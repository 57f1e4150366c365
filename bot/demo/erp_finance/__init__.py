"""The demo domain of an ERP's books."""

"""The demo domain of scrap metal prices."""

"""The demo domains: their generators and loaders."""

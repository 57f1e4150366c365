"""Slack apps that several workspaces install: OAuth, encrypted tokens, one bot a workspace."""

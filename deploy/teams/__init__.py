"""The Microsoft Teams app package."""

"""Language models over OpenAI-compatible endpoints."""

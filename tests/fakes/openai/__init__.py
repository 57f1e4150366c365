"""An OpenAI-compatible endpoint on loopback that answers from a script."""

"""Language models and embeddings behind any OpenAI-compatible endpoint: OpenAI, Azure OpenAI, Ollama, vLLM."""

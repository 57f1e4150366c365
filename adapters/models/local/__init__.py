"""Embeddings made in this process, without a service: the extra `embeddings`."""

"""Chat platforms: messages in, cards out."""

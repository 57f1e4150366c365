"""From cards to Block Kit, Adaptive Cards and text."""

"""Understanding by rules, one test file a module or a kind of message."""

"""The governed catalog: YAML domains and the code that loads, validates and searches them."""

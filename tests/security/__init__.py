"""What must not leak: random queries under row rules, and the engines' own walls without the guard."""

"""Question sets with gold SQL: asked, judged by rows, and summed up."""

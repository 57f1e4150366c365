"""What language models are asked, and how their answers are checked before anything relies on them."""

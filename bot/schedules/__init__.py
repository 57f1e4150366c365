"""Answers that come again and again: made, signed for, listed, fired on time and run on behalf of their owners."""

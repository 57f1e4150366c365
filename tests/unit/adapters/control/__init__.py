"""Control stores."""

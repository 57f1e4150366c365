"""The engines' own walls: attacks through the agent's account, with nobody in front of it."""

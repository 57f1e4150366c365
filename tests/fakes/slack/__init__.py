"""Slack, as far as the bot meets it: the Web API, signed deliveries, Socket Mode."""

"""Microsoft Teams' side: the Bot Connector, the token and key endpoints, uploads, and people who write and click."""

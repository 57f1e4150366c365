"""Every card with what the product really says, drawn as Slack and as Teams draw it."""

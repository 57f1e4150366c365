"""Tests of Slack as a channel."""

"""Tests of agent.feedback."""

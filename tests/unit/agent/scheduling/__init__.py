"""Schedules: when they run, over which period, what their words mean."""

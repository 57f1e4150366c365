"""When schedules run, over which period, and what their words mean."""

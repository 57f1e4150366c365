"""Turns that have to wait: for their thread, for a worker, for a place at a warehouse; and what people see of it."""

"""What an operator sees of a running process: metrics, traces, health."""

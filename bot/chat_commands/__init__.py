"""What people tell the product to do, in any channel: fresh starts, stopping, memory, forgetting, administration."""

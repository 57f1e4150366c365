"""The control store on PostgreSQL."""

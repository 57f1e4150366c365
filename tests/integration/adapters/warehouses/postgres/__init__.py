"""The PostgreSQL warehouse."""

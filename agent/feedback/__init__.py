"""Changes of a pending proposal as typed operations, on a spec and on written SQL, and whether only they were made."""

"""Row rules of the demo's finance manager, shown on random SQL: no accepted query depends on a forbidden row."""

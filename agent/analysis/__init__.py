"""What a result says: KPIs, verification, chart choice and narrative."""

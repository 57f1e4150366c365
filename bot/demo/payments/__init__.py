"""The payments domain: card payments of an acquirer, generated and loaded into PostgreSQL."""

"""PostgreSQL: a read-only transaction, and one cursor in it, which can only be a query."""

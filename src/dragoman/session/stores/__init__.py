"""Where sessions are kept: one protocol, three stores (memory, SQLite, PostgreSQL)."""

"""A first pack for a database: what questions know of its tables, written down for a person to edit."""

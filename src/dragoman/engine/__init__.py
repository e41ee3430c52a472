"""What runs: reads against a database, bounded in rows and time."""

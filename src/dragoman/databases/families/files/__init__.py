"""Files as sources: CSV, Parquet and JSON, read through a DuckDB file of their own."""

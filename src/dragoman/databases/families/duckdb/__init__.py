"""DuckDB and files: read in a process of its own, which can be killed, and which can reach nothing else."""

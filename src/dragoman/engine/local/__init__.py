"""The local engine: one process, threads side by side, one database."""

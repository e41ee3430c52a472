"""The embedded demo: a small trading business of 2020, in SQLite."""

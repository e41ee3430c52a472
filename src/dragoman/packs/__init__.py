"""Packs: what a schema cannot say of a database, in YAML for people to write."""

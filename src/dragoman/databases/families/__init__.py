"""The families of sources: each a folder here with a `family.py`, or a record that another package offers."""

"""Rows of any result as objects: opened, asked about, followed along the links of the schema."""

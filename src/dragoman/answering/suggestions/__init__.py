"""Questions that work on a database: made from its schema by rule, and kept only where they are answered."""

"""How outputs pass the report guard: modes, counts and metrics."""

"""The pages under docs/reference: each module writes one from what is declared in the code."""

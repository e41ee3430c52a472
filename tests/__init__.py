"""The proof: ./do test."""

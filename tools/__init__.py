"""What ./do is made of. The standard library is all it needs."""

"""What models and other agents hand in: the modes of the report guard, and the account of what it found."""

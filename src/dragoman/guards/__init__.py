"""What may pass. Pure checks."""

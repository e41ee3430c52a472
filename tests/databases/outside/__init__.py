"""A family that the package does not bring: ledgers, which are folders of JSON lines."""

"""What was said: mentions, periods and signals found in a message. Words are data."""

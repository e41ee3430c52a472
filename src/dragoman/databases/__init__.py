"""Where data is: connections, families, discovery, reading with limits, values."""

"""Words that people teach: what they mean in a database, and how planners use them."""

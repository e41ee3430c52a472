"""Questions over any database: what the schema says, what a message says, and the readings that fit both."""

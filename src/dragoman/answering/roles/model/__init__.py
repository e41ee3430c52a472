"""A language model in the place of a role: what it hands over passes the guards, or it plays none."""

"""Who remembers: the reducer, the declared transitions and their enforcement, the stores."""

"""Documents: what the texts of a folder say, passage by passage, with the place where each stands."""

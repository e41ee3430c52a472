"""Several databases in one workspace."""

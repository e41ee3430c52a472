"""Several databases in one workspace: each has a planner of its own, and one scale for all of them."""

"""Reading in a process of its own, which can be killed: what is said to it, what bounds it, who keeps it."""

"""The planner over packs: from what a message says to a program of a business verb."""

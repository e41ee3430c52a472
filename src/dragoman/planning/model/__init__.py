"""The planner that asks a language model: for a program, a choice among readings, or one closed question."""

"""The planner over any discovered database: words of a question, and complete readings as programs."""

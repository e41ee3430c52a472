"""What is known: verbs, entities and their names."""

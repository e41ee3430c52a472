"""What comes with Dragoman: a package for each family, imported when a step needs it."""

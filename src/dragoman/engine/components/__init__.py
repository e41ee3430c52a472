"""The engine's own components, a package for each family."""

"""The components that ship with the engine, a package for each family."""

"""The components that come with the engine, a folder for each family."""

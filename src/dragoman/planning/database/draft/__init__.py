"""The steps from a sketch whose names are chosen to a frame, one module for each."""

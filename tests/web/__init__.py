"""The HTTP door, over real HTTP."""

"""The version, alone: everything may import it."""

__version__ = "0.1.0"

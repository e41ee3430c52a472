"""Measurements, each a script: ./do bench NAME."""

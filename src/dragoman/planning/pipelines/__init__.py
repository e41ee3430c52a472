"""Pipelines by talking: a request to export or copy becomes a program of extractors and writers."""

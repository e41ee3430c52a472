"""Tests of the first pack of a database."""

"""Graphs as evidence: one kept in the workspace, and one behind a Bolt server."""

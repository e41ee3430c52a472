"""Cypher that somebody wrote, proven to read and to end."""

from dragoman.guards.cypher.grammar import CypherQuery, judge_cypher
from dragoman.guards.cypher.tokens import CypherRefusal

__all__ = ["CypherQuery", "CypherRefusal", "judge_cypher"]

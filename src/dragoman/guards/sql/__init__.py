"""SQL that people and models write: one query that only reads what it may, or a refusal that says why."""

from dragoman.guards.sql.judgement import judge_sql
from dragoman.guards.sql.policy import Functions
from dragoman.guards.sql.read_only import why_not_condition, why_not_read_only
from dragoman.guards.sql.text import MAX_CHARACTERS
from dragoman.guards.sql.verdict import SqlCode, SqlDecision, SqlVerdict

__all__ = [
    "MAX_CHARACTERS",
    "Functions",
    "SqlCode",
    "SqlDecision",
    "SqlVerdict",
    "judge_sql",
    "why_not_condition",
    "why_not_read_only",
]

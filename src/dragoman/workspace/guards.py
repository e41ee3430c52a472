"""The guards, as doors ask them: pure checks of texts, paths and queries that need no workspace."""

from typing import TYPE_CHECKING

from dragoman._lazy import lazy

if TYPE_CHECKING:
    from dragoman.guards.guardian.document import judge_document
    from dragoman.guards.json_text.lenient import Contract, JsonVerdict, extract_object
    from dragoman.guards.json_text.model import JsonRefusal
    from dragoman.guards.json_text.strict import read_strict
    from dragoman.guards.message import MAX_CHARACTERS, accept_message
    from dragoman.guards.paths import PathDecision, judge_path
    from dragoman.guards.report import check_report
    from dragoman.guards.roles import validate_role_output, validate_role_text
    from dragoman.guards.secrets import scrubbed, scrubbed_value
    from dragoman.guards.sql import SqlDecision, SqlVerdict, judge_sql
    from dragoman.guards.track import choose_track
    from dragoman.locales.quality_hints import has_quality_hint
    from dragoman.locales.request_words import is_definitive

__all__ = [
    "MAX_CHARACTERS",
    "Contract",
    "JsonRefusal",
    "JsonVerdict",
    "PathDecision",
    "SqlDecision",
    "SqlVerdict",
    "accept_message",
    "check_report",
    "choose_track",
    "extract_object",
    "has_quality_hint",
    "is_definitive",
    "judge_document",
    "judge_path",
    "judge_sql",
    "read_strict",
    "scrubbed",
    "scrubbed_value",
    "validate_role_output",
    "validate_role_text",
]

__getattr__ = lazy(
    __name__,
    {
        "MAX_CHARACTERS": "dragoman.guards.message",
        "Contract": "dragoman.guards.json_text.lenient",
        "JsonRefusal": "dragoman.guards.json_text.model",
        "JsonVerdict": "dragoman.guards.json_text.lenient",
        "PathDecision": "dragoman.guards.paths",
        "SqlDecision": "dragoman.guards.sql",
        "SqlVerdict": "dragoman.guards.sql",
        "accept_message": "dragoman.guards.message",
        "check_report": "dragoman.guards.report",
        "choose_track": "dragoman.guards.track",
        "extract_object": "dragoman.guards.json_text.lenient",
        "has_quality_hint": "dragoman.locales.quality_hints",
        "is_definitive": "dragoman.locales.request_words",
        "judge_document": "dragoman.guards.guardian.document",
        "judge_path": "dragoman.guards.paths",
        "judge_sql": "dragoman.guards.sql",
        "read_strict": "dragoman.guards.json_text.strict",
        "scrubbed": "dragoman.guards.secrets",
        "scrubbed_value": "dragoman.guards.secrets",
        "validate_role_output": "dragoman.guards.roles",
        "validate_role_text": "dragoman.guards.roles",
    },
)

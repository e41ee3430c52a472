"""Paths that come from programs, messages, models or HTTP: judged before any engine opens them."""

from dragoman.guards.paths.judgement import judge_path
from dragoman.guards.paths.path_names import is_protected
from dragoman.guards.paths.verdict import PathCode, PathDecision, PathVerdict

__all__ = ["PathCode", "PathDecision", "PathVerdict", "is_protected", "judge_path"]

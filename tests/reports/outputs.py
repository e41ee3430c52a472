"""Outputs to judge, and settings to judge them by."""

from dragoman.contracts.errors import StoreError
from dragoman.contracts.report import OutputValidationSettings, ValidationMode
from dragoman.reports.tally import Recorder
from dragoman.reports.validation import JudgedOutput, OutputValidation

GOOD = '{"completed_tasks": [], "in_progress": [], "blockers": [], "next_focus": ["a"], "notes": "n"}'
WARNED = GOOD.replace('"completed_tasks": []', '"completed_tasks": ["x", "x"]')
MEANINGLESS = GOOD.replace('"n"', '""')
BROKEN = "{"


def settings(mode: ValidationMode) -> OutputValidationSettings:
    return OutputValidationSettings(mode, mode, mode is ValidationMode.ENFORCE)


class Bench:
    """An output validation at a clock that is set by hand."""

    def __init__(self, mode: ValidationMode, recorder: Recorder) -> None:
        self.now = 1_000_000_020.0
        self.unrecorded: list[StoreError] = []
        self.validation = OutputValidation(
            settings(mode), recorder, lambda: self.now, unrecorded=self.unrecorded.append
        )

    def judge(self, text: str) -> JudgedOutput:
        return self.validation.judge(text, task="T1", agent="writer", agent_type="model")

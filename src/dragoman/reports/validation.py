"""The one call for everybody who produces an output: judged by its mode, counted, and told to who listens."""

import time
from collections.abc import Callable

from dragoman.contracts.errors import StoreError
from dragoman.contracts.record import Record
from dragoman.contracts.report import (
    OutputValidationFailureEvent,
    OutputValidationSettings,
    Recovery,
    ReportVerdict,
    ValidationMode,
)
from dragoman.contracts.stages import StageFigures
from dragoman.guards.report import STATUS, check_report
from dragoman.guards.report.text import cleaned
from dragoman.reports.tally import Recorder

MAX_EVENT_OUTPUT = 2000
MAX_EVENT_ERROR = 1000
MAX_EVENT_NAME = 200
_TOLD_ERRORS = 5

Listener = Callable[[OutputValidationFailureEvent], None]


class JudgedOutput(Record, frozen=True):
    """Whether the output may be used. No verdict: it was not checked. `failure` is told in every mode."""

    accepted: bool
    verdict: ReportVerdict | None
    failure: OutputValidationFailureEvent | None


class OutputValidation:
    """The report guard in its mode. `unrecorded` is told when a check could not be counted; it still counts
    for the output."""

    def __init__(
        self,
        settings: OutputValidationSettings,
        recorder: Recorder,
        clock: Callable[[], float] = time.time,
        *,
        unrecorded: Callable[[StoreError], None],
    ) -> None:
        self.settings = settings
        self._recorder = recorder
        self._clock = clock
        self._unrecorded = unrecorded

    def judge(
        self,
        text: str,
        *,
        task: str,
        agent: str,
        agent_type: str,
        kind: str = STATUS,
        listener: Listener | None = None,
        stages: StageFigures | None = None,
    ) -> JudgedOutput:
        """One output of an agent, on its way out. `stages` are counted with it, where it ends a turn."""
        mode = self.settings.effective_mode
        if mode is ValidationMode.DISABLED:
            if stages is not None:
                self._record(lambda: self._recorder.record_stages(stages))
            return JudgedOutput(accepted=True, verdict=None, failure=None)
        verdict = check_report(text, kind=kind)
        self._record(lambda: self._recorder.record_check(self._clock(), mode, verdict.code, stages))
        if verdict.code is None:
            return JudgedOutput(accepted=True, verdict=verdict, failure=None)
        failure = OutputValidationFailureEvent(
            task=cleaned(task, MAX_EVENT_NAME),
            agent=cleaned(agent, MAX_EVENT_NAME),
            output=_shown(text),
            error=_told(verdict),
            mode=mode,
            agent_type=cleaned(agent_type, MAX_EVENT_NAME),
            code=verdict.code,
            enforced=mode is ValidationMode.ENFORCE,
        )
        if listener is not None:
            listener(failure)
        return JudgedOutput(accepted=not failure.enforced, verdict=verdict, failure=failure)

    def failed(
        self,
        code: str,
        error: str,
        *,
        task: str,
        agent: str,
        agent_type: str,
        listener: Listener | None = None,
    ) -> None:
        """An output that never came, or that its reader refused before it got here: it is counted and told
        like one that fails here, and was stopped in any mode."""
        mode = self.settings.effective_mode
        if mode is ValidationMode.DISABLED:
            return
        self._record(lambda: self._recorder.record_check(self._clock(), mode, code))
        if listener is not None:
            listener(
                OutputValidationFailureEvent(
                    task=cleaned(task, MAX_EVENT_NAME),
                    agent=cleaned(agent, MAX_EVENT_NAME),
                    output="",
                    error=cleaned(error, MAX_EVENT_ERROR),
                    mode=mode,
                    agent_type=cleaned(agent_type, MAX_EVENT_NAME),
                    code=code,
                    enforced=True,
                )
            )

    def recovered(self, recovery: Recovery) -> None:
        """Something was done about an output that failed: it was asked for again, given to another agent, or
        given up."""
        self._record(lambda: self._recorder.record_recovery(recovery))

    def _record(self, act: Callable[[], None]) -> None:
        try:
            act()
        except StoreError as error:
            self._unrecorded(error)


def _shown(text: object) -> str:
    return cleaned(text, MAX_EVENT_OUTPUT) if isinstance(text, str) else ""


def _told(verdict: ReportVerdict) -> str:
    told = [
        f"{found.code}{f' at {found.path}' if found.path else ''}: {found.message}"
        for found in verdict.errors[:_TOLD_ERRORS]
    ]
    if len(verdict.errors) > _TOLD_ERRORS:
        told.append(f"and {len(verdict.errors) - _TOLD_ERRORS} more")
    return cleaned("; ".join(told), MAX_EVENT_ERROR)

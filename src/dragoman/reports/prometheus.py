"""The metrics as Prometheus reads them: the text exposition format."""

from collections.abc import Iterable
from typing import NamedTuple

from dragoman.contracts.report import ValidationMetrics, ValidationMode
from dragoman.contracts.stages import StageMetrics

PREFIX = "dragoman_output_validation"
STAGES = "dragoman_stages"


class _Sample(NamedTuple):
    value: float
    labels: tuple[tuple[str, str], ...] = ()
    suffix: str = ""


class _Family(NamedTuple):
    name: str
    type: str
    help: str
    samples: tuple[_Sample, ...]


def prometheus_text(metrics: ValidationMetrics, stages: StageMetrics | None = None) -> str:
    lines = [line for family in _families(metrics) for line in _lines(family, PREFIX)]
    if stages is not None:
        lines += [line for family in _stage_families(stages) for line in _lines(family, STAGES)]
    return "".join(f"{line}\n" for line in lines)


def _families(metrics: ValidationMetrics) -> Iterable[_Family]:
    recoveries = metrics.recoveries
    return (
        _counter("failures_total", "Outputs that failed their check.", metrics.total_failures),
        _gauge("failures_last_hour", "Failed outputs of the last hour.", metrics.failures_last_hour),
        _gauge(
            "recent_failure_rate", "Failures per check of the last hour, 0 to 1.", metrics.recent_failure_rate
        ),
        _Family(
            "failures_by_code_total",
            "counter",
            "Failed outputs by the code of the verdict.",
            tuple(_Sample(count, (("code", code),)) for code, count in metrics.failures_by_code.items()),
        ),
        _counter("shadow_failures_total", "Failed outputs that were let through.", metrics.shadow_failures),
        _counter("enforced_failures_total", "Failed outputs that were stopped.", metrics.enforced_failures),
        _Family(
            "mode",
            "gauge",
            "The mode in effect: 1 for the one that holds.",
            tuple(_Sample(mode is metrics.mode, (("mode", mode),)) for mode in ValidationMode),
        ),
        _gauge("canary_acknowledged", "Whether enforcing was acknowledged.", metrics.canary_acknowledged),
        _gauge("retry_rate", "Retries per failed output.", metrics.retry_rate),
        _Family(
            "recoveries_total",
            "counter",
            "What was done about failed outputs.",
            (
                _Sample(recoveries.retries, (("kind", "retry"),)),
                _Sample(recoveries.reassignments, (("kind", "reassignment"),)),
                _Sample(recoveries.failures, (("kind", "failure"),)),
            ),
        ),
    )


def _stage_families(metrics: StageMetrics) -> Iterable[_Family]:
    return (
        _Family(
            "verdicts_total",
            "counter",
            "Verdicts of the guardian that ended a turn.",
            tuple(
                _Sample(count, (("track", track), ("verdict", verdict)))
                for track, verdicts in metrics.verdicts.items()
                for verdict, count in verdicts.items()
            ),
        ),
        _Family(
            "retries_total",
            "counter",
            "Drafts that were made again.",
            tuple(_Sample(count, (("track", track),)) for track, count in metrics.retries.items()),
        ),
        _Family(
            "evidence_coverage_total",
            "counter",
            "Turns by what the coverage gate said.",
            tuple(
                _Sample(count, (("status", status),)) for status, count in metrics.evidence_coverage.items()
            ),
        ),
        _Family(
            "seconds",
            "summary",
            "Time of the stages of turns.",
            tuple(
                sample
                for stage, time in metrics.stages.items()
                for sample in (
                    _Sample(time.seconds, (("stage", stage),), "_sum"),
                    _Sample(time.turns, (("stage", stage),), "_count"),
                )
            ),
        ),
    )


def _counter(name: str, text: str, value: float) -> _Family:
    return _Family(name, "counter", text, (_Sample(value),))


def _gauge(name: str, text: str, value: float) -> _Family:
    return _Family(name, "gauge", text, (_Sample(value),))


def _lines(family: _Family, prefix: str) -> Iterable[str]:
    name = f"{prefix}_{family.name}"
    yield f"# HELP {name} {_escaped(family.help)}"
    yield f"# TYPE {name} {family.type}"
    for sample in family.samples:
        labels = ",".join(f'{label}="{_escaped_label(value)}"' for label, value in sample.labels)
        # A boolean is written as the number it is.
        own = name + sample.suffix
        yield f"{own}{{{labels}}} {sample.value + 0}" if labels else f"{own} {sample.value + 0}"


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("\n", "\\n")


def _escaped_label(text: str) -> str:
    return _escaped(text).replace('"', '\\"')

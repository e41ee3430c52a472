"""Status reports and patches of agents, checked and normalised; the settings and metrics of their guard."""

from typing import TYPE_CHECKING

from dragoman._lazy import lazy

if TYPE_CHECKING:
    from dragoman.guards.report import STATUS, NormalisedReport, report_kinds, report_text
    from dragoman.language.outputs import OutputProfile, check_output, normalised
    from dragoman.reports.prometheus import prometheus_text
    from dragoman.reports.settings import resolve_settings

__all__ = [
    "STATUS",
    "NormalisedReport",
    "OutputProfile",
    "check_output",
    "normalised",
    "prometheus_text",
    "report_kinds",
    "report_text",
    "resolve_settings",
]

__getattr__ = lazy(
    __name__,
    {
        "STATUS": "dragoman.guards.report",
        "NormalisedReport": "dragoman.guards.report",
        "OutputProfile": "dragoman.language.outputs",
        "check_output": "dragoman.language.outputs",
        "normalised": "dragoman.language.outputs",
        "prometheus_text": "dragoman.reports.prometheus",
        "report_kinds": "dragoman.guards.report",
        "report_text": "dragoman.guards.report",
        "resolve_settings": "dragoman.reports.settings",
    },
)

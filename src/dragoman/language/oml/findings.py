"""What a reading finds wrong, collected in one place and given back in the order of the text."""

from bisect import bisect_left
from collections.abc import Iterable
from difflib import get_close_matches

from dragoman.contracts.program import Diagnostic
from dragoman.guards.secrets import scrubbed
from dragoman.language.document import Extent
from dragoman.language.source import Source

MAX_FINDINGS = 1_000
"""A text with more is not a program with mistakes; after so many one last finding says that it was enough."""


class Findings:
    """The findings of one reading of one source."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._found: list[tuple[Extent, str, str, str]] = []
        self._starts: list[int] = []

    def error(self, code: str, extent: Extent, message: str, hint: str) -> None:
        self._found.append((extent, code, message, hint))

    def within(self, extent: Extent) -> bool:
        """Whether something was found in a stretch of the source."""
        starts = self._starts if len(self._starts) == len(self._found) else self._sorted_starts()
        index = bisect_left(starts, extent[0])
        return index < len(starts) and starts[index] < extent[1]

    def _sorted_starts(self) -> list[int]:
        self._starts = sorted(extent[0] for extent, *_ in self._found)
        return self._starts

    def __len__(self) -> int:
        return len(self._found)

    def diagnostics(self) -> tuple[Diagnostic, ...]:
        ordered = sorted(self._found, key=lambda finding: finding[0])
        shown = [
            Diagnostic(code, scrubbed(message), scrubbed(hint), span=self._source.span(*extent))
            for extent, code, message, hint in ordered[:MAX_FINDINGS]
        ]
        if len(ordered) > MAX_FINDINGS:
            message = f"{len(ordered) - MAX_FINDINGS:,} more errors are not shown"
            span = self._source.span(*ordered[MAX_FINDINGS][0])
            shown.append(Diagnostic("too_many_errors", message, "mend those above first", span=span))
        return tuple(shown)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that was probably meant."""
    # The comparison takes time in proportion to both lengths, and nobody misspells a name into a page.
    near = get_close_matches(word[:100].lower(), list(known), n=1, cutoff=0.6)
    return near[0] if near else None


def listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "none"

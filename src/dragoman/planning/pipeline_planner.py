"""The planner of pipelines: a request to export or copy rows, and every change of it, becomes a program.

Most messages have no word of it: they are told apart by their words alone, before anything is imported.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.vocabulary import ClarificationKind
from dragoman.locales.registry import every_language
from dragoman.planning.contract import Asked, PlannerName, Proposal
from dragoman.planning.pipelines.route import DOMAIN, ROUTE
from dragoman.reading.tokens import fold, tokens_of

if TYPE_CHECKING:
    from dragoman.planning.pipelines.questions import Questions

_TELLING = ("export", "copy", "wants", "sends", "sync", "convert", "keep", "retry")
_TELLING_KINDS = ("format", "family", "absent_format", "absent_target")


class PipelinePlanner:
    """Proposes pipelines. `discover` gives the schema of a connection, `folder` is where files may stand."""

    name = PlannerName.PIPELINES

    def __init__(
        self,
        questions: "Callable[[], Questions]",
        discover: Callable[[ConnectionSpec], DatabaseSchema | None],
        folder: Path | None,
        unwritten: Callable[[str], tuple[str, ...] | None] = lambda run_id: None,
    ) -> None:
        """`unwritten`: the writers of a run that have not written; None where nobody knows of the run."""
        self._questions = questions
        self._discover = discover
        self._folder = folder
        self._unwritten = unwritten

    def propose(self, asked: Asked) -> Proposal | None:
        if asked.written is not None or (
            asked.reading.phrase is not None and not self._is_of_pipeline(asked)
        ):
            return None
        pending = asked.continuity.clarification
        waits = pending is not None and pending.clarification_kind is ClarificationKind.CONFIRM_RUN
        if waits and asked.reading.affirm is not None:
            return None
        if not (self._is_of_pipeline(asked) or _may_be_order(asked) or _waits_for_rows(asked)):
            return None
        from dragoman.planning.pipelines.proposals import Proposals

        questions = self._questions()
        proposals = Proposals(self.name, questions, self._discover, self._folder, self._unwritten)
        return proposals.propose(asked)

    @staticmethod
    def _is_of_pipeline(asked: Asked) -> bool:
        """Whether a pipeline is in hand, which a message may change."""
        root, pending = asked.continuity.root, asked.continuity.clarification
        offered = pending is not None and pending.resume_target_route == ROUTE
        return offered or (root is not None and root.domain_id == DOMAIN)


def _waits_for_rows(asked: Asked) -> bool:
    pending = asked.continuity.clarification
    return pending is not None and bool(pending.writers)


def _may_be_order(asked: Asked) -> bool:
    """Whether a word of the message is one of pipelines: what to do, or where to."""
    if _tells(asked.said or asked.text):
        return True
    aliases = {spec.alias.casefold() for spec in asked.catalog.databases.specs}
    return bool(asked.reading.extend) or any(
        alias in (asked.said or asked.text).casefold() for alias in aliases
    )


def _tells(text: str) -> bool:
    if text.isascii():
        # Every message comes past here: one in plain letters needs no tokens to be told apart.
        return _telling_plain().search(text) is not None
    return not _telling_words().isdisjoint(token.form for token in tokens_of(text))


@cache
def _telling_plain() -> re.Pattern[str]:
    words = sorted(word for word in _telling_words() if word.isascii())
    return re.compile(rf"(?<![a-z0-9])(?:{'|'.join(map(re.escape, words))})(?![a-z0-9])", re.IGNORECASE)


@cache
def _telling_words() -> frozenset[str]:
    """The first words of what orders a pipeline, in every language, as they are written."""
    found: set[str] = set()
    for language in every_language():
        texts = language.texts("pipelines")
        kinds: Mapping[str, Mapping[str, list[str]]] = texts.get("kinds", {})
        phrases = [phrase for name in _TELLING for phrase in texts.get("cues", {}).get(name, ())]
        phrases += [
            phrase for name in _TELLING_KINDS for many in kinds.get(name, {}).values() for phrase in many
        ]
        found |= {fold(token.form) for phrase in phrases for token in tokens_of(phrase)[:1]}
    return frozenset(found)

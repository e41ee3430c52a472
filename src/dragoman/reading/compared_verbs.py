"""Figures of two verbs held against each other: did we spend more than we earned?

That is a question about the answers in context where each of them was looked up. Where one was not, it is
none: the figures have to be asked for first.
"""

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.state import SessionState
from dragoman.contracts.vocabulary import MetaQuestionKind
from dragoman.reading.cues import compares, is_soft
from dragoman.reading.reading import MentionKind, Reading
from dragoman.reading.tokens import fold


def with_compared_verbs(reading: Reading, state: SessionState, catalog: Catalog) -> Reading:
    """The reading, as a comparison of the answers in context where it is one of two figures."""
    verbs = tuple(name for name in reading.verbs if name in catalog.verbs)
    if len(verbs) != 2 or reading.phrase is not None or not _is_bare(reading):
        return reading
    said = {fold(word) for each in reading.of_kind(MentionKind.COMPARISON) for word in each.text.split()}
    held = [word for word in reading.uncovered if word in said or compares(word, reading.language)]
    left = [word for word in reading.uncovered if word not in held and not is_soft(word, reading.language)]
    if left or not (held or said or reading.meta is MetaQuestionKind.COMPARISON):
        return reading
    answers = state.answers
    known = {
        each.route for each in answers.items if each.grounded and each.turn_index >= answers.context_from
    }
    if not known.issuperset(verbs):
        return reading
    kind = MetaQuestionKind.COMPARISON
    return replace(
        reading, meta=kind, compared=verbs, verbs=(), verb=None, actions=(), anaphor=False, uncovered=()
    )


def _is_bare(reading: Reading) -> bool:
    named = reading.entities or reading.objects or reading.periods or reading.picks or reading.extend
    return not (named or reading.recap or reading.wants_write)

"""Of a share: what it is a share of, and what part of that."""

from collections.abc import Iterator

import msgspec

from dragoman.review.case import Case
from dragoman.review.demanded_periods import day_of
from dragoman.review.likeness import supports
from dragoman.review.records import Code, Objection
from dragoman.review.words import Word
from dragoman.tables.request import Measured
from dragoman.tables.verbs import TableVerb

_NEVER = 2900
"""A year that never comes: of what has not ended."""


def shared_bases(case: Case) -> Iterator[Objection]:
    """ "What share of the tickets from Arden was open" is one of the tickets from Arden: what stands before
    the verb holds for all of them, and not for the part alone."""
    parts = [each for each in case.committed.measures if each.verb is TableVerb.SHARE and each.that]
    base = _base(case) if parts else ()
    if not base:
        return
    for each in parts:
        if _is_narrowed(case, each, base):
            yield case.objection(
                Code.COUNTED_MISSING, case.message.text[base[0].start : base[-1].end], each.written
            )
            return


def _base(case: Case) -> tuple[Word, ...]:
    """The words between "share of" and the verb that says what part is meant."""
    told = case.message.vocabulary
    for cue in case.message.does("share"):
        at = cue.last
        if case.words[at - 1].form not in told.owning:
            if at >= len(case.words) or case.words[at].form not in told.owning:
                continue
            at += 1
        ends = range(at + 1, len(case.words))
        end = next((n for n in ends if case.words[n].form in told.verbs_of_parts), None)
        return () if end is None else case.words[at:end]
    return ()


def _is_narrowed(case: Case, part: Measured, base: tuple[Word, ...]) -> bool:
    """Whether a condition of the part is said of the whole, and nowhere else."""
    rest = [word for word in case.words if word not in base]
    pointed = any(word.form in case.message.vocabulary.pointing for word in base) and any(
        word.form.partition("'")[0] in case.message.vocabulary.parts for word in base
    )
    for value in _values(part.that):
        if isinstance(value, str) and day_of(value) is None:
            here = any(supports(word, value) for word in base)
            if here and not any(supports(word, value) for word in rest):
                return True
        elif (day := day_of(value)) is not None:
            lasting = day.year >= _NEVER and any(_is_now(case, word) for word in base)
            if lasting or pointed or any(case.message.in_period(word) for word in base):
                return True
    return False


def _is_now(case: Case, word: Word) -> bool:
    told = case.message.vocabulary
    return word.form.replace("’", "'").removesuffix("'s") in told.nowadays | told.present


def _values(found: object) -> Iterator[object]:
    """Every value inside of conditions."""
    match found:
        case tuple():
            for each in found:
                yield from _values(each)
        case msgspec.Struct():
            for name in found.__struct_fields__:
                if name not in ("column", "links", "path"):
                    yield from _values(getattr(found, name))
        case _:
            yield found

"""Who did something, and what figures are gathered by: both stand behind a "by"."""

from dragoman.review.case import Case
from dragoman.review.words import Cue


def says_who(case: Case, cue: Cue) -> bool:
    """Whether a "by" says who did something: "signed by clerks", "enrolled in by pupils". One of a kind
    without an article gathers, whatever stands before it: "total invoiced by status"."""
    return _is_passive(case, cue.first) and not _names_one(case, cue)


def _names_one(case: Case, cue: Cue) -> bool:
    named = case.named_after(cue.last, 0)
    return named is not None and not case.words[named.last - 1].is_plural


def _is_passive(case: Case, at: int) -> bool:
    """Whether a "by" stands behind a participle, with a small word between them or none."""
    if not at:
        return False
    told, before = case.message.vocabulary, case.words[at - 1]
    if told.passive.search(before.form):
        return True
    small = before.keys & case.message.small_words
    return at > 1 and bool(small) and bool(told.passive.search(case.words[at - 2].form))

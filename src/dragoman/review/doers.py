"""Who did something, and what figures are gathered by: both stand behind a "by"."""

from dragoman.review.case import Case
from dragoman.review.words import Cue


def says_who(case: Case, cue: Cue) -> bool:
    """Whether a "by" says who did something: "signed by clerks", "enrolled in by pupils". One of a kind
    without an article gathers, whatever stands before it: "total invoiced by status"."""
    return _is_passive(case, cue.first) and not _names_one(case, cue)


def gathers(case: Case, cue: Cue) -> bool:
    """Whether a "by" gathers: nothing was done by a month. What was received by month is mostly money."""
    told = case.message.vocabulary
    before = case.words[cue.first - 1].form if cue.first else ""
    timed = any(word.form in told.parts for word in case.words[cue.last : cue.last + 1])
    if timed and before not in told.sides.get("paid", ()):
        return True
    return bool(before) and not told.passive.search(before)


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


def is_deed(case: Case, at: int) -> bool:
    """ "Have placed orders": between "have" and a name stands what was done, whatever the data hold."""
    told, words = case.message.vocabulary, case.words
    had = at > 0 and words[at - 1].form in told.perfect
    return had and bool(told.passive.search(words[at].form)) and case.named_after(at + 1, 1) is not None

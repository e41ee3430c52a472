"""How well a name fits a text: what kind of likeness it is, and how much of it.

Every kind has its own stretch of the scale, so that the order of kinds is the order of scores:

    100        the key of the entity, or the same name
    97 .. 99   the same name but for punctuation, spaces or a missing legal form
    90 .. 96   the same name in another script, in another spelling, or with another legal form
    80 .. 90   the name begins with the text
    60 .. 80   a few letters differ
    40 .. 60   words in another order, or left out
    20 .. 40   only alike
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

from rapidfuzz.distance import OSA, Indel

from dragoman.entities.entity_name import Name, Wanted, in_order, read_name, squashed
from dragoman.entities.folded_names import plain
from dragoman.entities.records import How

LEAST_LIKENESS: Final = 0.5
_LEAST_LENGTH: Final = 4
_CYRILLIC: Final = re.compile(r"[\u0400-\u052f]")


class Verdict(NamedTuple):
    score: float
    how: How


def judge(wanted: Iterable[Wanted], text: str, bones: str) -> Verdict | None:
    """The best verdict over the ways to read what is wanted, on a name and its skeleton."""
    best: Verdict | None = None
    flat = squashed(bones)
    for reading in wanted:
        verdict = _same(reading, text) if flat == reading.squashed else _alike(reading, text, bones, flat)
        if verdict is not None:
            verdict = Verdict(verdict.score - reading.penalty, verdict.how)
            if best is None or verdict.score > best.score:
                best = verdict
    return best


def weighed(verdict: Verdict, wanted: Iterable[Wanted], text: str) -> Verdict:
    """The verdict with the little that legal forms weigh: among names alike, the one of the same form."""
    if verdict.how not in (How.PREFIX, How.TYPO, How.TOKENS):
        return verdict
    name = read_name(text)
    return Verdict(verdict.score - min(_forms_apart(reading.name, name) for reading in wanted), verdict.how)


def _forms_apart(wanted: Name, name: Name) -> float:
    if wanted.forms == name.forms:
        return 0.0
    return 0.4 if _contradict(wanted, name) else 0.2


def _contradict(one: Name, other: Name) -> bool:
    """Both say how the company is set up, and have nothing of it in common."""
    return bool(one.forms and other.forms and not one.forms & other.forms)


def _same(wanted: Wanted, text: str) -> Verdict:
    """Two names with one skeleton: the same, or the same but for legal form, script or spelling."""
    name = read_name(text)
    contradict = _contradict(wanted.name, name)
    same_forms = name.forms == wanted.name.forms
    if name.joined == wanted.name.joined:
        if same_forms:
            return Verdict(_exactness(wanted, name, text), How.EXACT)
        return Verdict(92.0 if contradict else 97.0, How.LEGAL_FORM)
    if bool(_CYRILLIC.search(name.joined)) == bool(_CYRILLIC.search(wanted.name.joined)):
        return Verdict(90.5 if contradict else 93.0, How.SPELLING)
    if same_forms:
        return Verdict(96.0, How.TRANSLITERATION)
    return Verdict(91.0 if contradict else 95.5, How.TRANSLITERATION)


def _exactness(wanted: Wanted, name: Name, text: str) -> float:
    if plain(text) == wanted.plain:
        return 100.0
    return 99.5 if name.core == wanted.name.core else 99.0


def _alike(wanted: Wanted, text: str, bones: str, flat: str) -> Verdict | None:
    length = max(len(flat), len(wanted.squashed))
    if flat.startswith(wanted.squashed) or _begins_as_written(wanted, text, flat):
        return Verdict(80.0 + 9.9 * min(1.0, len(wanted.squashed) / len(flat)), How.PREFIX)
    allowed = max(1, length // 4)
    edits = OSA.distance(wanted.squashed, flat, score_cutoff=allowed)
    if edits <= allowed:
        return Verdict(79.9 * (1 - edits / max(length, _LEAST_LENGTH)), How.TYPO)
    return _reordered(wanted, bones, length, allowed) or _resembling(wanted, flat)


def _begins_as_written(wanted: Wanted, text: str, flat: str) -> bool:
    """Whether a name begins with a text that is cut inside of a sound: "Ann S" and "Ann Schulz"."""
    return flat.startswith(wanted.stem) and read_name(text).joined.startswith(wanted.name.joined)


def _reordered(wanted: Wanted, bones: str, length: int, allowed: int) -> Verdict | None:
    ordered = in_order(bones)
    if ordered == wanted.sorted:
        return Verdict(59.0, How.TOKENS)
    words = set(bones.split(" "))
    if words >= wanted.words or words < wanted.words:
        shorter = min(len(ordered), len(wanted.sorted))
        return Verdict(45.0 + 12.0 * shorter / length, How.TOKENS)
    edits = OSA.distance(wanted.sorted, ordered, score_cutoff=allowed)
    if edits <= allowed:
        return Verdict(40.0 + 18.0 * (1 - edits / length), How.TOKENS)
    return None


def _resembling(wanted: Wanted, flat: str) -> Verdict | None:
    if wanted.squashed in flat:
        return Verdict(30.0 + 9.0 * len(wanted.squashed) / len(flat), How.SIMILAR)
    likeness = Indel.normalized_similarity(wanted.squashed, flat, score_cutoff=LEAST_LIKENESS)
    return Verdict(39.0 * likeness, How.SIMILAR) if likeness else None

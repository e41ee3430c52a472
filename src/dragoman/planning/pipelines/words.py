"""The words of pipelines in a message: each phrase of the lexicon that it has, and where.

What a word means is data (`pipelines.yaml` of every language). The longest phrase wins; of phrases of the
same length, the one that is looked for first.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Final, NamedTuple

from dragoman.locales.language import Language
from dragoman.locales.registry import FALLBACK, language
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import keys_of
from dragoman.reading.tokens import Token, tokens_of

_FILE: Final = "pipelines"


class Cue(StrEnum):
    """What a phrase is in a request for a pipeline; those first that are preferred of equally long ones."""

    KEEP = "keep"
    RETRY = "retry"
    DELETES = "deletes"
    NO_SCHEDULE = "no_schedule"
    SCHEDULE = "schedule"
    ABSENT_TARGET = "absent_target"
    ABSENT_FORMAT = "absent_format"
    FORMAT = "format"
    FAMILY = "family"
    COMPRESSION = "compression"
    MODE = "mode"
    PART = "part"
    PARTED = "parted"
    DELIMITER_SIGN = "delimiter_sign"
    COMPARISON = "comparison"
    EVERYTHING = "everything"
    LEAVE_OUT = "leave_out"
    THAT_LIST = "that_list"
    RESET_FILTER = "reset_filter"
    NAMED = "named"
    INTO_TABLE = "into_table"
    DELIMITER = "delimiter"
    HEADER = "header"
    COLUMN = "column"
    DETAIL = "detail"
    FOLDER = "folder"
    FILE = "file"
    TABLE = "table"
    SYNC = "sync"
    EXPORT = "export"
    COPY = "copy"
    WANTS = "wants"
    SENDS = "sends"
    CONVERT = "convert"
    RATHER_THAN = "rather_than"
    INSTEAD = "instead"
    SAME = "same"
    ALSO = "also"
    EXCEPT = "except"
    NEGATION = "negation"
    UNDER = "under"
    ADDS = "adds"
    BUT = "but"
    ALL = "all"
    ONLY = "only"
    IT = "it"
    DATABASE = "database"
    ROWS_OF = "rows_of"
    PROMPT = "prompt"
    FROM = "from"
    TO = "to"
    SOURCE_SIDE = "source_side"
    UNIT = "unit"
    AGGREGATE = "aggregate"
    STATE = "state"
    """What a thing is told to be: it says which rows of a table, and nothing of anything else."""
    FILLER = "filler"


VERBS: Final = frozenset({Cue.EXPORT, Cue.COPY, Cue.WANTS, Cue.SENDS, Cue.SYNC, Cue.CONVERT})
WEAK: Final = frozenset({Cue.WANTS, Cue.SENDS, Cue.CONVERT})
"""Verbs that order a pipeline only where a place or a form is said."""
_ORDER: Final = {cue: place for place, cue in enumerate(Cue)}
_KINDS: Final = {"delimiter": Cue.DELIMITER_SIGN}
"""The kinds whose name is another cue already."""


class Mark(NamedTuple):
    """A phrase of the lexicon in a message: its words, from `start` to before `end`."""

    cue: Cue
    means: str
    start: int
    end: int


class _Phrase(NamedTuple):
    words: tuple[frozenset[str], ...]
    cue: Cue
    means: str

    def fits(self, place: int, form: str, keys: frozenset[str]) -> bool:
        """Whether a word may be the one at a place. What orders something is written as it is told: exports
        and sent rows order nothing."""
        words = self.words[place]
        return form in words if self.cue in VERBS else not words.isdisjoint(keys)


def marks_of(tokens: Sequence[Token], spoken: Spoken) -> list[list[Mark]]:
    """For each word of a message the phrases that begin there, the longest first."""
    keys = [frozenset(keys_of(token.form, spoken)) for token in tokens]
    phrases = _phrases(spoken)
    found = []
    for at in range(len(tokens)):
        fitting: dict[tuple[Cue, str, int], Mark] = {}
        for key in keys[at]:
            for phrase in phrases.get(key, ()):
                end = at + len(phrase.words)
                if end <= len(tokens) and all(
                    phrase.fits(place, tokens[at + place].form, keys[at + place])
                    for place in range(len(phrase.words))
                ):
                    fitting[phrase.cue, phrase.means, end] = Mark(phrase.cue, phrase.means, at, end)
        found.append(sorted(fitting.values(), key=lambda mark: (-mark.end, _ORDER[mark.cue], mark.means)))
    return found


@cache
def _phrases(spoken: Spoken) -> Mapping[str, tuple[_Phrase, ...]]:
    # English is in every message: CSV, Supabase and the names of things are said in it everywhere.
    known = dict.fromkeys((*spoken.languages, language(FALLBACK)))
    index: dict[str, list[_Phrase]] = {}
    for each in known:
        own = Spoken((each,))
        for cue, means, text in _entries(each):
            words = tuple(frozenset(keys_of(token.form, own)) for token in tokens_of(text))
            if each.code == FALLBACK or each.glued or cue in VERBS:
                # Only forms as they are written: "exported" orders no export, and an ending that is glued
                # on says on which side a place is.
                words = tuple(frozenset((token.form,)) for token in tokens_of(text))
            for first in words[0] if words else ():
                index.setdefault(first, []).append(_Phrase(words, cue, means))
    return {first: tuple(found) for first, found in index.items()}


def _entries(spoken: Language) -> Iterator[tuple[Cue, str, str]]:
    texts = spoken.texts(_FILE)
    for name, phrases in texts.get("cues", {}).items():
        yield from ((Cue(name), "", text) for text in phrases)
    for name, meanings in texts.get("kinds", {}).items():
        for means, phrases in meanings.items():
            yield from ((_KINDS.get(name) or Cue(name), means, text) for text in phrases)
    yield from ((Cue.FILLER, "", text) for text in texts.get("filler", ()))

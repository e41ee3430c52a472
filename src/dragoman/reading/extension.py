"""A wish to keep or send a result: save that as parquet, send it to Supabase."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from dragoman.locales.documents import lexicon_of
from dragoman.locales.script import LATIN
from dragoman.reading.languages import Spoken
from dragoman.reading.phrase_match import Message
from dragoman.reading.reading import ExtendMention
from dragoman.reading.tokens import Token, fold, tokens_of

_PATH = re.compile(
    r"(?<![\w./~-])(?:[\w~.-]*/)*[\w-][\w.-]*\.(csv|tsv|parquet|json|jsonl|ndjson|xlsx)\b", re.I
)
_NAME = re.compile(r"[\w.-]*\w")


_ANY_FILE = "file"
"""Said of a result that is to be kept: no target by itself."""


class Extension(NamedTuple):
    """What is wished, and which words of the message say so."""

    wish: ExtendMention
    words: frozenset[int]


class _Words(NamedTuple):
    keeps: frozenset[str]
    sends: frozenset[str]
    formats: dict[str, str]
    targets: dict[str, str]
    tables: frozenset[str]
    to: frozenset[str]
    asking: frozenset[str]


@cache
def _words(spoken: Spoken) -> _Words:
    data = [lexicon_of(language)["extend"] for language in spoken.languages]
    return _Words(
        _set(word for each in data for word in each["keeps"]),
        _set(word for each in data for word in each["sends"]),
        {fold(word): name for each in data for name, words in each["formats"].items() for word in words},
        {fold(word): name for each in data for name, words in each["targets"].items() for word in words},
        _set(word for each in data for word in each["tables"]),
        _set(word for each in data for word in each["to"]),
        _set(word for each in spoken.languages for word in lexicon_of(each)["pending"]["asking"]),
    )


def _set(words: Iterable[str]) -> frozenset[str]:
    return frozenset(token.form for word in words for token in tokens_of(word))


def find_extension(
    text: str, message: Message, is_empty: Sequence[bool], named: frozenset[int]
) -> Extension | None:
    """The wish of a message, if it has one. `is_empty` tells words that carry nothing, `named` those of the
    names of entities: a supplier is no place to keep a result."""
    tokens, keys, words = message.tokens, message.keys, _words(message.spoken)
    path = _PATH.search(text)
    of_path = {i for i, t in enumerate(tokens) if path and path.start() <= t.start and t.end <= path.end()}
    keeps = _first(tokens, keys, words.keeps, of_path)
    sends = _first(tokens, keys, words.sends, of_path)
    formats = [
        (i, key) for i, many in enumerate(keys) for key in many if key in words.formats and i not in of_path
    ]
    targets = [
        (i, key) for i, many in enumerate(keys) for key in many if key in words.targets and i not in of_path
    ]
    table, of_table = _table(text, message, words)
    verb = keeps if keeps is not None else sends
    known = bool(path or formats or targets or table)
    used = of_path | of_table | {i for i, _ in formats} | {i for i, _ in targets}
    alias, of_alias = ("", set[int]())
    if verb is not None and (known or _commands(message, verb, is_empty)):
        alias, of_alias = _alias(text, tokens, verb, used | named, words)
    if verb is None and not ((path or formats) and all(e or i in used for i, e in enumerate(is_empty))):
        return None
    if verb is not None and keeps is None and not (known or alias):
        return None
    if (
        keeps is not None
        and not (known or alias)
        and not all(e or i == keeps for i, e in enumerate(is_empty))
    ):
        return None
    used |= of_alias | ({verb} if verb is not None else set())
    used |= {i - 1 for i in list(used) if i and tokens[i - 1].form in words.to}
    places = [words.targets[key] for _, key in targets if words.targets[key] != _ANY_FILE]
    target = places[0] if places else "" if targets else alias
    format_ = path.group(1).lower() if path else words.formats[formats[0][1]] if formats else ""
    wish = ExtendMention(
        "jsonl" if format_ == "ndjson" else format_, path.group() if path else "", target, table
    )
    return Extension(wish, frozenset(used))


def _commands(message: Message, verb: int, is_empty: Sequence[bool]) -> bool:
    """Whether a word tells us to do something: it opens the message, or goes on with what is in hand. A
    store, a copy and a transfer inside of a question are what it is about."""
    pointing = frozenset(form for each in message.vocabularies for form in each.pointing)
    behind = message.tokens[verb + 1].form if verb + 1 < len(message.tokens) else ""
    if behind in pointing:
        return True
    # Stores are things: no command is said so.
    several = message.tokens[verb].form.endswith("s") and message.tokens[verb].script == LATIN
    asks = any(token.form in _words(message.spoken).asking for token in message.tokens[:verb])
    return all(is_empty[:verb]) and not several and not asks


def _first(
    tokens: Sequence[Token], keys: Sequence[tuple[str, ...]], wanted: frozenset[str], taken: set[int]
) -> int | None:
    places = (i for i in range(len(tokens)) if i not in taken and not wanted.isdisjoint(keys[i]))
    return next(places, None)


def _table(text: str, message: Message, words: _Words) -> tuple[str, set[int]]:
    """The name that stands behind the word for a table."""
    tokens = message.tokens
    for i in range(len(tokens) - 1):
        if not words.tables.isdisjoint(message.keys[i]):
            match = _NAME.match(text, tokens[i + 1].start)
            if match is not None and i:
                covered = {
                    j for j, t in enumerate(tokens) if match.start() <= t.start and t.end <= match.end()
                }
                return match.group(), covered | {i}
    return "", set()


def _alias(
    text: str, tokens: Sequence[Token], verb: int, used: set[int], words: _Words
) -> tuple[str, set[int]]:
    """The name of a connection behind a word of direction: send it to my_lake."""
    for i in range(verb + 1, len(tokens) - 1):
        if tokens[i].form in words.to and i + 1 not in used:
            match = _NAME.match(text, tokens[i + 1].start)
            if match is not None:
                covered = {
                    j for j, t in enumerate(tokens) if match.start() <= t.start and t.end <= match.end()
                }
                return match.group(), covered | {i}
    return "", set()

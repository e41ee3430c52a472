"""What a taught word means, as a sentence says it."""

from dragoman.answering.phrases import Phrases
from dragoman.answering.words.conditions import where_in_words
from dragoman.answering.words.known import CatalogNames
from dragoman.answering.words.places import place_of
from dragoman.answering.words.speaker import Speaker
from dragoman.answering.words.values import column_value
from dragoman.answering.words.vocabulary import words_of
from dragoman.contracts.program import Sequence, Statement, Text
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.tables.verbs import Word


def taught_meaning(word: TaughtWord, names: CatalogNames, phrases: Phrases) -> str:
    """What a word means, and of which table."""
    table = f"{word.of} ({word.connection})" if word.connection else word.of
    values = _values(word)
    if len(values) > 1:
        return phrases.say("taught_values", table=table, means=words_of(phrases.language).either(values))
    return phrases.say(f"taught_{word.kind}", table=table, means=_in_words(word, names, phrases.language))


def _in_words(word: TaughtWord, names: CatalogNames, language: str) -> str:
    """The meaning of a condition or of a calculation as a sentence says it; of anything else as it is
    written. What has no words is the piece of the program that it is."""
    asks = _asking(word)
    if asks is None:
        return word.means
    names.learn([(asks,)])
    graph = names.known.graph_of(asks)
    place = place_of(graph, word.of)
    where, of = asks.argument(Word.WHERE), asks.argument(Word.OF)
    if graph is None or place.table is None:
        return word.means
    speaker = Speaker(words_of(language), names.known)
    if where is not None:
        return speaker.words.both(where_in_words(speaker, place, where.value))
    return column_value(speaker, place, of.value).words if of is not None else word.means


def _values(word: TaughtWord) -> tuple[str, ...]:
    """The values of a column that a word stands for."""
    if word.kind is not TaughtKind.VALUE:
        return ()
    read = read_verbs(Source(f"(x.y :v {word.means})"))
    argument = read.statements[0].argument("v") if len(read.statements) == 1 else None
    items = argument.value.items if argument is not None and isinstance(argument.value, Sequence) else ()
    return tuple(item.value for item in items if isinstance(item, Text))


def _asking(word: TaughtWord) -> Statement | None:
    """A statement that asks for what a condition or a calculation means; None of other words, and of what is
    no piece of a program."""
    match word.kind:
        case TaughtKind.CONDITION:
            text = f"({word.of}.list :{Word.WHERE} {word.means})"
        case TaughtKind.FIGURE:
            text = f"({word.of}.sum :{Word.OF} {word.means})"
        case _:
            return None
    read = read_verbs(Source(text))
    return read.statements[0] if not read.diagnostics and len(read.statements) == 1 else None

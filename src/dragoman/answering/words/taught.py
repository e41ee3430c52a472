"""What a taught word means, as a sentence says it."""

from dragoman.answering.words.conditions import where_in_words
from dragoman.answering.words.places import place_of
from dragoman.answering.words.speaker import Known, Speaker
from dragoman.answering.words.values import column_value
from dragoman.answering.words.vocabulary import words_of
from dragoman.contracts.program import Statement
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.tables.verbs import Word


def taught_statement(word: TaughtWord) -> Statement | None:
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


def taught_in_words(asks: Statement, known: Known, language: str) -> str:
    """What such a statement asks for, without the rows that it asks."""
    graph = known.graph_of(asks)
    place = place_of(graph, asks.verb.rpartition(".")[0])
    if graph is None or place.table is None:
        return ""
    speaker = Speaker(words_of(language), known)
    where, of = asks.argument(Word.WHERE), asks.argument(Word.OF)
    if where is not None:
        return speaker.words.both(where_in_words(speaker, place, where.value))
    return column_value(speaker, place, of.value).words if of is not None else ""

"""Whether a statement says what a taught word means, although it was written without it."""

from collections.abc import Iterator

from dragoman.contracts.program import Call, Date, Map, Sequence, Statement, Text, Value
from dragoman.contracts.taught import TaughtKind, TaughtWord
from dragoman.language.verbs.printer import print_line, print_value
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.words import stem
from dragoman.planning.teaching.said_words import is_dated_verb, meaning_of
from dragoman.tables.graph import Graph
from dragoman.tables.verbs import Word


def bears_out(statement: Statement, word: TaughtWord, graph: Graph) -> bool:
    """A name: what it names is there. A figure: all of its columns are. A condition: its columns are, or one
    that is called by the word itself, as a ship date is for what was shipped. A verb for a date only chooses
    between dates."""
    if is_dated_verb(word, graph):
        return True
    if word.kind is TaughtKind.VALUE:
        return all(each in _print(statement) for each in _values(meaning_of(word)))
    if word.kind in (TaughtKind.TABLE, TaughtKind.COUNT):
        return word.of in tables_in(statement, graph)
    meaning = meaning_of(word)
    named = {step for path in _paths(statement) for step in path.split("/")}
    wanted = set(_names(meaning)) if meaning is not None else set()
    of = statement.argument(Word.OF)
    if word.kind is TaughtKind.FIGURE and of is not None and isinstance(of.value, Map):
        # What counts another column in is another figure.
        return {path.rpartition("/")[2] for path in _names(of.value)} == wanted
    if wanted and wanted <= named:
        return True
    stems = {stem(part) for part in word.word.casefold().split()}
    called = {stem(part) for name in named for part in plain_words(name)}
    return word.is_condition and stems <= called


def _values(meaning: Value | None) -> tuple[str, ...]:
    """The texts that a name for a value stands for, as a statement prints them."""
    match meaning:
        case Sequence(items=items):
            return tuple(map(print_value, items))
        case None:
            return ()
        case _:
            return (print_value(meaning),)


def counts_by_events(statement: Statement, table: str) -> bool:
    """Whether rows of a table are counted that something happened to at some time."""
    where = statement.argument(Word.WHERE)
    if statement.verb != f"{table}.count" or where is None or not isinstance(where.value, Map):
        return False
    linked = [entry.value for entry in where.value.entries if "-by-" in entry.key]
    return any(_has_date(value) for value in linked)


def has_date(statement: Statement) -> bool:
    """Whether a statement is held to days."""
    return any(_has_date(each.value) for each in statement.arguments)


def _has_date(value: Value) -> bool:
    match value:
        case Date():
            return True
        case Sequence(items=items):
            return any(map(_has_date, items))
        case Map(entries=entries):
            return any(_has_date(entry.value) for entry in entries)
        case _:
            return False


def _print(statement: Statement) -> str:
    return print_line((statement,))


def tables_in(statement: Statement, graph: Graph) -> set[str]:
    """The tables that a statement asks, or reaches."""
    base = graph.by_name.get(statement.verb.rpartition(".")[0])
    if base is None:
        return set()
    steps = {step for path in _paths(statement) for step in path.split("/")}
    reached = {
        graph.tables[link.target].name
        for table in graph.tables.values()
        for name, link in graph.links(table).items()
        if name in steps
    }
    return {base.name, *reached}


def _paths(statement: Statement) -> Iterator[str]:
    for argument in statement.arguments:
        if argument.name not in _WORDS:
            yield argument.name
        yield from _names(argument.value)


def _names(value: Value) -> Iterator[str]:
    """Whatever may be the name of a column in a value."""
    match value:
        case Text(value=path):
            yield path
        case Sequence(items=items):
            for item in items:
                yield from _names(item)
        case Map(entries=entries):
            for entry in entries:
                if entry.key not in _MAPS:
                    yield entry.key
                yield from _names(entry.value)
        case Call(statement=inner):
            yield from _paths(inner)
        case _:
            return


_WORDS = frozenset(word.value for word in Word)
_MAPS = frozenset(
    {"times", "plus", "minus", "divided", "not", "above", "below", "at-least", "at-most", "between", "column"}
)

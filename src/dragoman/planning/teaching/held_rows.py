"""A statement whose rows are held to one condition more."""

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from dragoman.contracts.program import Argument, Entry, Map, Nil, Sequence, Statement, Value
from dragoman.contracts.taught import TaughtWord
from dragoman.planning.teaching.said_words import meaning_of
from dragoman.tables.graph import Graph, Table
from dragoman.tables.verbs import ALL, VERBS, Word

_MOST_STEPS: Final = 2


def held(statement: Statement, word: TaughtWord, graph: Graph) -> Statement | None:
    """The statement with the condition of a word on the rows that it is for, where they are those that are
    asked for, those that each of them belongs to, or those that it is already asked about them."""
    domain, _, verb = statement.verb.rpartition(".")
    base, condition = graph.by_name.get(domain), meaning_of(word)
    if base is None or not isinstance(condition, Map) or verb not in VERBS:
        return None
    if base.name == word.of:
        return with_condition(statement, condition, base)
    inside = _inside(statement, base, word.of, condition, graph)
    if inside is not None:
        return inside
    ways = list(_ways(base, word.of, graph))
    shortest = [way for way in ways if len(way) == min(map(len, ways))]
    if len(shortest) != 1:
        return None
    nested: Value = condition
    for step in reversed(shortest[0]):
        nested = Map((Entry(step, nested),))
    return with_condition(statement, nested, base) if isinstance(nested, Map) else None


def without(statement: Statement, word: TaughtWord) -> Statement:
    """A statement without the condition of a word, where it is one of its own."""
    condition = meaning_of(word)
    if not isinstance(condition, Map) or statement.verb.rpartition(".")[0] != word.of:
        return statement
    entries, arguments = list(condition.entries), list[Argument]()
    for argument in statement.arguments:
        if Entry(argument.name, argument.value) in entries:
            continue
        if argument.name == Word.WHERE and isinstance(argument.value, Map):
            kept = tuple(entry for entry in argument.value.entries if entry not in entries)
            if not kept:
                continue
            argument = replace(argument, value=Map(kept))
        arguments.append(argument)
    return replace(statement, arguments=tuple(arguments))


def share_held(statement: Statement, word: TaughtWord, graph: Graph) -> Statement | None:
    """The share of the rows that a statement counts that have the condition of a word."""
    domain, _, verb = statement.verb.rpartition(".")
    condition = meaning_of(word)
    plain = all(each.name not in _COUNTED for each in statement.arguments)
    if verb != "count" or domain != word.of or not plain or not isinstance(condition, Map):
        return None
    that, said = Argument(Word.THAT, condition), [(entry.key, entry.value) for entry in condition.entries]
    # Who explains the word has said what it means: cancelled, that is without a time. It holds for no others.
    rest = [each for each in statement.arguments if (each.name, each.value) not in said]
    return replace(statement, verb=f"{domain}.share", arguments=(that, *rest))


def with_condition(statement: Statement, condition: Map, table: Table) -> Statement:
    """A condition beside the others: as an argument of its own where it can be one, so that what changes the
    statement later finds it."""
    arguments, more = list(statement.arguments), list[Entry]()
    given = {each.name: each.value for each in arguments}
    for entry in condition.entries:
        if given.get(entry.key) == entry.value:
            continue
        plain = table.column(entry.key) is not None and _is_plain(entry.value)
        if len(condition.entries) == 1 and plain and entry.key not in given:
            arguments.append(Argument(entry.key, entry.value))
        else:
            more.append(entry)
    where = next((each for each in arguments if each.name == Word.WHERE), None)
    if not more:
        return replace(statement, arguments=tuple(arguments))
    if where is None:
        return replace(statement, arguments=(*arguments, Argument(Word.WHERE, Map(tuple(more)))))
    return replace(
        statement,
        arguments=tuple(
            replace(each, value=both(each.value, Map(tuple(more)))) if each is where else each
            for each in arguments
        ),
    )


def both(where: Value, more: Map) -> Value:
    """Two conditions as one; what both say is said once."""
    if not isinstance(where, Map):
        return Map((Entry(ALL, Sequence((where, more))),))
    known = {entry.key for entry in where.entries}
    if any(entry in where.entries for entry in more.entries) and len(more.entries) == 1:
        return where
    if known.isdisjoint(entry.key for entry in more.entries) and ALL not in known:
        return Map((*where.entries, *more.entries))
    merged = _merged(where, more)
    return merged if merged is not None else Map((Entry(ALL, Sequence((where, more))),))


def _merged(where: Map, more: Map) -> Value | None:
    """Two conditions on what one link to a single row leads to, as one."""
    (entry, *rest), known = more.entries, {each.key: each.value for each in where.entries}
    there = known.get(entry.key)
    if rest or not isinstance(there, Map) or not isinstance(entry.value, Map) or "-by-" in entry.key:
        return None
    if any(each.key in _TESTS for each in (*there.entries, *entry.value.entries)):
        return None
    whole = both(there, entry.value)
    return Map(tuple(replace(each, value=whole) if each.key == entry.key else each for each in where.entries))


def _is_plain(value: Value) -> bool:
    return not isinstance(value, Map) or all(entry.key in _TESTS for entry in value.entries)


def _inside(statement: Statement, base: Table, wanted: str, condition: Map, graph: Graph) -> Statement | None:
    """A condition on many linked rows that the statement asks about: customers who placed late orders."""
    where = statement.argument(Word.WHERE)
    if where is None or not isinstance(where.value, Map):
        return None
    for entry in where.value.entries:
        link = graph.link(base, entry.key)
        if link is None or link.single or graph.tables[link.target].name != wanted:
            continue
        match entry.value:
            case Map(entries=(Entry(key="not", value=Nil()),)):
                there: Value = condition
            case Map(entries=(Entry(key="not"), *_)) | Nil():
                return None
            case Map() as known:
                there = both(known, condition)
            case _:
                return None
        entries = tuple(replace(each, value=there) if each is entry else each for each in where.value.entries)
        arguments = tuple(
            replace(each, value=Map(entries)) if each is where else each for each in statement.arguments
        )
        return replace(statement, arguments=arguments)
    return None


def _ways(base: Table, wanted: str, graph: Graph) -> Iterator[tuple[str, ...]]:
    """How rows lead to the one row of a table that each belongs to."""
    reached: list[tuple[Table, tuple[str, ...]]] = [(base, ())]
    for _ in range(_MOST_STEPS):
        reached = [
            (graph.tables[link.target], (*steps, link.name))
            for there, steps in reached
            for link in graph.links(there).values()
            if link.single
        ]
        yield from (steps for there, steps in reached if there.name == wanted)


_TESTS: Final = frozenset(
    {"not", "above", "below", "at-least", "at-most", "between", "contains", "starts", "ends"}
)
_COUNTED: Final = frozenset(
    {
        Word.OF.value,
        Word.DISTINCT.value,
        Word.COLUMNS.value,
        Word.ORDER.value,
        Word.HAVING.value,
        Word.TOP.value,
    }
)

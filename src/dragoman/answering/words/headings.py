"""How the columns of a result are headed for a person: `Billing Country`, `Number of orders`."""

from collections.abc import Iterator

from dragoman.answering.words.measures import MEASURES, Measure, measure_in_words, measure_named
from dragoman.answering.words.names import as_heading, as_sentence
from dragoman.answering.words.places import Place, place_of
from dragoman.answering.words.speaker import Known, Speaker
from dragoman.answering.words.values import column_value, items_of
from dragoman.answering.words.vocabulary import words_of
from dragoman.contracts.answer import Heading
from dragoman.contracts.program import Boolean, Map, Sequence, Statement, Text, Value
from dragoman.language.verbs.printer import print_value

_SHOWN_BY = ("of", "also", "columns", "by")
_ROUNDED = ("average", "share")


def headings_of(
    statement: Statement, names: tuple[str, ...], known: Known, language: str
) -> tuple[Heading, ...]:
    """The headings of the columns that a table's verb gave, which have these names; empty for other verbs."""
    domain, _, action = statement.verb.partition(".")
    place = place_of(known.graph_of(statement), domain)
    if known.title_of(statement) or place.table is None:
        return ()
    speaker = Speaker(words_of(language), known)
    given = {argument.name: argument.value for argument in statement.arguments}
    grouped = "by" in given or action in MEASURES
    distinct = given.get("distinct") == Boolean(True)
    verb = "sum" if action == "top" else action
    own = Measure(verb, given.get("of") or _only(place, verb), distinct) if grouped else None
    written = {print_value(each): each for each in _shown(statement)}
    return tuple(_heading(speaker, place, name, own, written) for name in names)


def _heading(
    speaker: Speaker, place: Place, name: str, own: Measure | None, written: dict[str, Value]
) -> Heading:
    value = written.get(name) or Text(name)
    measure = _measured(place, value, own) if own is not None else None
    if measure is not None:
        divides = measure.verb in _ROUNDED or (measure.of is not None and _divides(measure.of))
        return Heading(as_sentence(measure_in_words(speaker, place, measure, short=True)), divides)
    column = column_value(speaker, place, value)
    plain = isinstance(value, Text) and not column.part
    return Heading(as_heading(column.words) if plain else as_sentence(column.words), _divides(value))


def _measured(place: Place, value: Value, own: Measure) -> Measure | None:
    """A result calls the sum that `top` orders by either of these."""
    if own.verb == "sum" and value == Text("top"):
        return own
    return measure_named(place, value, own)


def _only(place: Place, verb: str) -> Value | None:
    """What is measured where the program leaves it out."""
    measures = place.table.measures if place.table is not None else ()
    return Text(measures[0].name) if verb not in ("count", "share") and len(measures) == 1 else None


def _shown(statement: Statement) -> Iterator[Value]:
    for argument in statement.arguments:
        if argument.name in _SHOWN_BY:
            yield from (each for each in items_of(argument.value) if isinstance(each, Map))


def _divides(value: Value) -> bool:
    """Whether a quotient is in it, whose digits need not end."""
    waiting = [value]
    while waiting:
        match waiting.pop():
            case Map(entries=entries):
                if any(entry.key == "divided" for entry in entries):
                    return True
                waiting.extend(entry.value for entry in entries)
            case Sequence(items=items):
                waiting.extend(items)
    return False

"""Metrics that a database most likely has: what money words are read as, and prices times quantities."""

from collections.abc import Iterable, Iterator

from dragoman.contracts.program import Entry, Map, Sequence, Text, Value
from dragoman.contracts.record import Record
from dragoman.language.program_names import kebab_of
from dragoman.language.verbs.printer import print_value
from dragoman.locales.registry import FALLBACK, every_language, language
from dragoman.packs.pack_draft import is_writable, qualified
from dragoman.packs.yaml_text import quoted
from dragoman.planning.database.own_metrics import own_metric
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.schema_names import Thing
from dragoman.tables.graph import Table

_DOCUMENT = "metrics"


class GuessedMetric(Record, frozen=True, gc=True):
    """A metric over a table: what it is called by language, what is added up, and why it is guessed."""

    name: str
    words: dict[str, tuple[str, ...]]
    table: Table
    of: Value
    why: str


def guessed_metrics(planner: QuestionPlanner) -> list[GuessedMetric]:
    """The likely metrics of a database, each once."""
    found: dict[str, GuessedMetric] = {}
    known: set[tuple[str, str]] = set()
    for metric in (*_asked(planner), *_of_lines(planner)):
        meaning = (metric.table.name, print_value(metric.of))
        if is_writable(qualified(metric.table.info)) and metric.name not in found and meaning not in known:
            known.add(meaning)
            found[metric.name] = metric
    return list(found.values())


def _asked(planner: QuestionPlanner) -> Iterator[GuessedMetric]:
    """What a question for the total of a known word is read as."""
    for name, said in language(FALLBACK).texts(_DOCUMENT).items():
        found = own_metric(planner, said[0])
        if found is not None:
            yield GuessedMetric(name, _words(name), *found, f"what “total {said[0]}” is read as")


def _words(name: str) -> dict[str, tuple[str, ...]]:
    documents = ((each.code, each) for each in every_language() if each.has_document(_DOCUMENT))
    return {code: tuple(each.texts(_DOCUMENT).get(name, ())) for code, each in documents}


def _of_lines(planner: QuestionPlanner) -> Iterator[GuessedMetric]:
    """Price times quantity of tables that have both."""
    for price, quantity, _ in planner.knowledge.lines:
        if price.table.key != quantity.table.key:
            continue
        called = " ".join((*plain_words(price.table.info.name), "value"))
        of = Map((Entry("times", Sequence((Text(_name(price)), Text(_name(quantity))))),))
        yield GuessedMetric(
            kebab_of(called), {FALLBACK: (called,)}, price.table, of, "a price times a quantity"
        )


def _name(thing: Thing) -> str:
    return thing.column.name if thing.column is not None else ""


def metric_lines(metrics: Iterable[GuessedMetric]) -> Iterator[str]:
    """The section of a draft."""
    lines = [line for metric in metrics for line in _lines(metric)]
    if lines:
        yield "metrics:"
        yield from lines
        yield ""
    else:
        yield "# FILL IN: figures with a definition that everybody agrees on. Nothing here looks like one."
        yield "# metrics:"
        yield '#   revenue: {title: {en: revenue}, table: order_lines, of: \'{:times ["price" "quantity"]}\','
        yield "#     definition: {en: what it means}}"
        yield ""


def _lines(metric: GuessedMetric) -> Iterator[str]:
    of = print_value(metric.of)
    title = metric.words[FALLBACK][0]
    words = ", ".join(
        f"{code}: [{', '.join(map(quoted, said))}]" for code, said in metric.words.items() if said
    )
    yield f"  # GUESS: {metric.why}."
    yield f"  {metric.name}:"
    yield f"    title: {{en: {quoted(title)}}}"
    yield f"    words: {{{words}}}"
    yield f"    table: {quoted(qualified(metric.table.info))}"
    yield f"    of: {quoted(of)}"
    definition = f"the total of {_told(metric.of)} of {' '.join(plain_words(metric.table.info.name))}"
    yield f"    definition: {{en: {quoted(definition)}}}  # FILL IN: what it means"


def _told(value: Value) -> str:
    match value:
        case Text(value=path):
            return path.replace("_", " ").replace("/", " ")
        case Map(entries=(Entry(key=operator, value=Sequence(items=items)), *_)):
            return f" {operator} ".join(map(_told, items))
        case _:
            return print_value(value)

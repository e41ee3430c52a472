"""One table as a draft shows it: what questions know of it, with the reason for every guess."""

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Final

from dragoman.contracts.schema import ValueType
from dragoman.locales.thesaurus import english_words
from dragoman.packs.pack_draft import is_writable, qualified
from dragoman.packs.yaml_text import quoted
from dragoman.planning.database.column_facts import ColumnFacts, Role
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.verb_forms import closeness
from dragoman.planning.database.vocabulary import words_in
from dragoman.planning.first_pack.foreign_names import ForeignNames
from dragoman.planning.tables.lexicon import ENGLISH
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import stem
from dragoman.tables.graph import Table
from dragoman.tables.measures import MOST_SCALE, scale_of

_MOST_VERBS: Final = 8
_LONGEST_WORD: Final = 40


class TableText:
    """Writes the entries of tables."""

    def __init__(self, knowledge: Knowledge, foreign: ForeignNames) -> None:
        self._knowledge = knowledge
        self._foreign = foreign

    def lines(self, table: Table) -> Iterator[str]:
        yield f"  {quoted(qualified(table.info))}:"
        yield from self._names(table)
        yield from self._label(table)
        columns = list(self._columns(table))
        if columns:
            yield "    columns:"
            yield from columns

    def _names(self, table: Table) -> Iterator[str]:
        own = " ".join(plain_words(table.info.name)) or table.info.name.strip()
        words = {"en": [own], **self._foreign.of_table(table)} if own.isascii() else {}
        if own.isascii() and own and is_writable(own) and len(own) <= _LONGEST_WORD:
            more = "" if len(words) > 1 else "  # FILL IN: other words for it, ru, ko"
            yield f"    words: {_listed(words)}{more}"
        else:
            yield "    words: {}  # FILL IN: what people call it, per language: {en: […], ru: […]}"

    def _label(self, table: Table) -> Iterator[str]:
        labels = [thing.column.info.name for thing in self._knowledge.labels(table) if thing.column]
        if not labels or not all(map(is_writable, labels)):
            yield "    # FILL IN: label: [COLUMN], which tells a person which row it is. Nothing looks so."
            return
        if self._knowledge.has_name(table):
            why = "its name" if len(labels) == 1 else "its name, in parts"
        elif set(labels) <= set(table.info.primary_key):
            why = "GUESS: nothing looks like a name, so rows are told apart by their key"
        else:
            why = "GUESS: the column that says most about which row it is"
        yield f"    label: [{', '.join(map(quoted, labels))}]  # {why}"

    def _columns(self, table: Table) -> Iterator[str]:
        verbs = self._verbs(table)
        dated = {thing.number for thing in self._knowledge.dated(table)}
        for facts in self._knowledge.columns(table):
            column = facts.thing.column
            if column is None or not is_writable(column.info.name):
                continue
            name = quoted(column.info.name)
            if facts.role is Role.MEASURE:
                yield f"      {name}: {{measure: true{_scale(facts)}}}  # GUESS: {_amount(facts)}, not a code"
            elif facts.thing.number in dated:
                said = verbs.get(facts.thing.number, ())
                if said:
                    shown = ", ".join(map(quoted, said))
                    yield f"      {name}: {{verbs: {{en: [{shown}]}}}}  # GUESS: what people say of this date"
                else:
                    yield f"      {name}: {{}}  # FILL IN: verbs of this date, {{verbs: {{en: [shipped]}}}}"

    def _verbs(self, table: Table) -> dict[int, list[str]]:
        """The verbs of the dates of a table. One that is taken stands at every date that it speaks of:
        otherwise the draft would take it from the others."""
        dates = self._knowledge.dated(table)
        if not all(map(_is_shown, dates)):
            return {}
        words = words_in(ENGLISH)
        close: dict[str, list[tuple[float, int]]] = {}
        for verb in words.date_verbs:
            if verb in words.any_date or verb not in _dictionary():
                continue
            near = [(closeness(words, verb, date), date.number) for date in dates]
            if any(each for each, _ in near):
                close[verb] = [each for each in near if each[0]]
        ranked = sorted(close, key=lambda verb: (-max(close[verb])[0], verb))
        found: dict[int, list[str]] = {}
        for verb in ranked[:_MOST_VERBS]:
            for _, number in close[verb]:
                found.setdefault(number, []).append(_dictionary()[verb])
        return found


def _is_shown(thing: Thing) -> bool:
    return thing.column is not None and is_writable(thing.column.info.name)


def _amount(facts: ColumnFacts) -> str:
    """What the numbers of a column seem to be."""
    if facts.money:
        return "money"
    return "an amount" if facts.unit is None else f"an amount, as a unit of {facts.unit.dimension} says"


def _scale(facts: ColumnFacts) -> str:
    """The decimal places that its type gives to a column."""
    column = facts.thing.column
    if column is None or column.type is not ValueType.DECIMAL:
        return ""
    scale = scale_of(column)
    return f", scale: {scale}" if scale is not None and scale <= MOST_SCALE else ""


def _listed(words: dict[str, list[str]]) -> str:
    parts = (f"{code}: [{', '.join(map(quoted, listed))}]" for code, listed in words.items())
    return f"{{{', '.join(parts)}}}"


@cache
def _dictionary() -> dict[str, str]:
    """The dictionary form of the stem of a verb. A stem that has none is no word to show."""
    return dict(_shortest(word for word in english_words() if word.isalpha()))


def _shortest(words: Iterable[str]) -> Iterator[tuple[str, str]]:
    for word in sorted(words, key=lambda each: (-len(each), each)):
        yield stem(word), word

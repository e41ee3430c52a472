"""Which row of a result a message picks: by its place, by its amount, by its name."""

from decimal import Decimal, InvalidOperation
from itertools import takewhile

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.answer import Cell, CellType
from dragoman.contracts.record import Record
from dragoman.planning.contract import Refusal
from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.rows.names_in import names_table
from dragoman.planning.rows.row_words import Part, Said, asks
from dragoman.planning.rows.shown_rows import Shown, widened
from dragoman.planning.tables.lexicon import Superlative, lexicons, spoken
from dragoman.planning.tables.name_words import plain_words
from dragoman.planning.tables.words import Kind, Token, stem
from dragoman.reading.reading import Reading
from dragoman.tables.graph import Column

_SILENT = (Part.SMALL, Part.OPENING, Part.ROW, Part.MARK)
_LONGEST = 2
_MOST_NAMED = 8
_ENDING = 2
_SHORTEST_STEM = 3


class Ranked(Record, frozen=True):
    """A column that rows can be compared by, and those that come first by it."""

    column: int
    rows: tuple[int, ...]


class Picked(Record, frozen=True, gc=True):
    """The rows of a result that may be meant. `by_amount`: for each column that may be meant, the first."""

    shown: Shown
    rows: tuple[int, ...] = ()
    by_amount: tuple[Ranked, ...] = ()
    named: bool = False
    """They were picked by their name."""


def picked(
    said: Said, reading: Reading, shown: Shown, words: SchemaWords, catalog: Catalog
) -> Picked | Refusal | None:
    """The rows that a message picks; a refusal where there is no such row; None where it picks none."""
    if reading.periods or said.has(Part.EVERYTHING, Part.EACH, Part.COUNTING, Part.PRONOUN, Part.PLURAL):
        return None
    extreme = _superlative(said, reading)
    if extreme is not None:
        sense, used = extreme
        if any(pick.place for pick in reading.picks):
            # "Oldest first" is an order, and the second largest is no end.
            return None
        turned = sense.least and shown.statement.argument("top") is not None
        if shown.answer.row_count == 1 or turned or asks(said, "which"):
            # Of what is first already, the other end of the list is meant; a whole question is a question.
            return None
        rest = tuple(token for token in said.content if token not in used)
        return _by_amount(sense, shown, words, catalog) if _are_rows(rest, said, shown, words) else None
    place = _place(said, reading)
    if place is not None:
        return _by_place(place, shown) if _are_rows(said.content, said, shown, words) else None
    return None


def _are_rows(content: tuple[Token, ...], said: Said, shown: Shown, words: SchemaWords) -> bool:
    """Whether nothing else is said, or only what the rows are called."""
    others = {word.part for word in said.words} - {*_SILENT, Part.PICK, Part.CONTENT}
    if others:
        return False
    tokens = tuple(word.token for word in said.words)
    inside = [token for token in said.of(Part.PICK) if token.kind is Kind.WORD]
    links = words.links(tokens)
    things = words.knowledge.things
    # "The second customer" of a list of invoices is no row of it.
    for token in inside:
        named = [n for n in links.named.get(tokens.index(token), ()) if n.end == tokens.index(token) + 1]
        if any(n.score >= 1.0 and n.thing != things.table_thing[shown.table.key] for n in named) and not any(
            n.thing == things.table_thing[shown.table.key] for n in named
        ):
            return False
    return not content or names_table(links, tokens, content, things.table_thing[shown.table.key])


# By its place.


def _place(said: Said, reading: Reading) -> int | None:
    places = [pick.place for pick in reading.picks if pick.largest is None]
    if len(reading.picks) == 1 and len(places) == 1:
        return places[0]
    return None


def _by_place(place: int, shown: Shown) -> Picked | Refusal:
    answer = shown.answer
    if place < 0 and answer.rows_total is not None:
        return Refusal("row_not_at_hand")
    position = place - 1 if place > 0 else answer.row_count + place
    if not 0 <= position < answer.row_count:
        return Refusal("no_such_row", (str(answer.row_count),))
    return Picked(shown, (position,))


# By its amount.


def _superlative(said: Said, reading: Reading) -> tuple[Superlative, tuple[Token, ...]] | None:
    """What a word for the largest or the least says of columns, and the words that say it."""
    known = {
        tuple(phrase.split()): sense
        for lexicon in lexicons(spoken(said.text))
        for phrase, sense in lexicon.superlatives.items()
    }
    tokens = tuple(word.token for word in said.words)
    for length in range(_LONGEST, 0, -1):
        for start in range(len(tokens) - length + 1):
            sense = known.get(tuple(token.low for token in tokens[start : start + length]))
            if sense is not None:
                return sense, tokens[start : start + length]
    extremes = [pick.largest for pick in reading.picks if pick.largest is not None]
    if len(reading.picks) == 1 and len(extremes) == 1:
        return Superlative(least=not extremes[0], plain=True), said.of(Part.PICK)
    return None


def _by_amount(sense: Superlative, shown: Shown, words: SchemaWords, catalog: Catalog) -> Picked | Refusal:
    places = _comparable(sense, shown, words)
    if shown.group is None and (not places or shown.answer.row_count > len(shown.answer.rows)):
        # The largest of the first rows need not be the largest, and a list of names has no amounts: the same
        # rows are read again, with what they can be compared by.
        own = _own_columns(sense, shown, words)
        shown = widened(shown, own, catalog) if own else shown
        places = _comparable(sense, shown, words)
    if shown.answer.row_count > len(shown.answer.rows):
        return Refusal("row_not_at_hand")
    ranked = [
        Ranked(place, _first(shown, place, least=sense.least is not _turned(sense, shown, place)))
        for place in places
    ]
    found = tuple(each for each in ranked if each.rows)
    if not found:
        return Refusal("rows_not_comparable")
    if len({each.rows for each in found}) == 1:
        return Picked(shown, found[0].rows)
    return Picked(shown, (), found)


def _own_columns(sense: Superlative, shown: Shown, words: SchemaWords) -> list[Column]:
    """The columns of the rows themselves that a word for the largest can mean."""
    things = words.knowledge.things.of_table[shown.base.key]
    columns = [(each, each.column) for each in things if each.column is not None]
    named = [c for each, c in columns if _is_told(sense, set(each.words), is_date=each.is_date)]
    amounts = [c for each, c in columns if words.knowledge.role(each) is Role.MEASURE]
    return named or (amounts if sense.plain or not sense.columns or len(amounts) == 1 else [])


def _is_told(sense: Superlative, named: set[str], *, is_date: bool) -> bool:
    """Whether a word for the largest tells of a column: the latest of dates, the cheapest of prices."""
    told = {stem(word) for word in (*sense.columns, *sense.down)}
    return bool(told & named) or (is_date and stem("date") in told)


def _turned(sense: Superlative, shown: Shown, place: int) -> bool:
    """Whether the other end of a column is meant: the oldest has the earliest birthday."""
    named = _words_of(shown, place)
    up, down = {stem(word) for word in sense.columns}, {stem(word) for word in sense.down}
    dated = shown.answer.columns[place].type is CellType.DATE and stem("date") in down
    return bool(down & named or dated) and not up & named


def _words_of(shown: Shown, place: int) -> set[str]:
    return {stem(word) for word in plain_words(shown.answer.columns[place].name.rpartition("/")[2])}


def _comparable(sense: Superlative, shown: Shown, words: SchemaWords) -> list[int]:
    """The columns that were shown and can be meant: those that the word tells of, or for a plain word any
    amount."""
    named, amounts = [], []
    for place, column in enumerate(shown.answer.columns):
        if _is_told(sense, _words_of(shown, place), is_date=column.type is CellType.DATE):
            named.append(place)
        if _is_amount(shown, place, words):
            amounts.append(place)
    # A price may be called an amount: what is cheapest is then the least of the only amount there is.
    return named or (amounts if sense.plain or not sense.columns or len(amounts) == 1 else [])


def _is_amount(shown: Shown, place: int, words: SchemaWords) -> bool:
    column = shown.answer.columns[place]
    own = shown.base.by_real_name.get(column.name)
    if own is None:
        if "/" in column.name and shown.group is None:
            return False
        measured = shown.group is not None and place > 0 and place not in shown.labels
        return measured and column.type in (CellType.DECIMAL, CellType.INTEGER)
    thing = words.knowledge.things.of_column.get((*shown.base.key, own.info.name))
    return thing is not None and words.knowledge.role(thing) is Role.MEASURE


def _first(shown: Shown, place: int, *, least: bool) -> tuple[int, ...]:
    """The rows with the largest cell of a column, or the least; of dates, the latest or the earliest."""
    cells = [(row[place], number) for number, row in enumerate(shown.answer.rows) if row[place] is not None]
    if not cells:
        return ()
    amounts = [(_amount(cell), number) for cell, number in cells]
    if all(amount is not None for amount, _ in amounts):
        known = [(amount, number) for amount, number in amounts if amount is not None]
        end = min(known)[0] if least else max(known)[0]
        return tuple(number for amount, number in known if amount == end)
    texts = [(str(cell), number) for cell, number in cells]
    bound = min(texts)[0] if least else max(texts)[0]
    return tuple(number for text, number in texts if text == bound)


def _amount(cell: Cell) -> Decimal | None:
    try:
        return Decimal(str(cell))
    except InvalidOperation:
        return None


# By its name.


def named_row(said: Said, shown: Shown) -> Picked | None:
    """The row that a message names whole; with a word that opens, also by a part of its name. Of several that
    have it, it is asked which."""
    if not said.has(Part.CONTENT) or not shown.labels:
        return None
    if not said.only(Part.SMALL, Part.OPENING, Part.ROW, Part.MARK, Part.CONTENT):
        return None
    text = " ".join(said.text.casefold().split())
    names = [shown.name_of(row).casefold() for row in shown.answer.rows]
    content = " ".join(token.low for token in said.content)
    whole = [n for n, name in enumerate(names) if name and _says(text, name, content)]
    if whole:
        return Picked(shown, tuple(whole), named=True)
    if not said.has(Part.OPENING):
        return None
    wanted = [token.low for token in said.content]
    partly = [n for n, name in enumerate(names) if wanted and _has_all(name.split(), wanted)]
    return Picked(shown, tuple(partly), named=True) if 1 <= len(partly) <= _MOST_NAMED else None


def _has_all(name: list[str], wanted: list[str]) -> bool:
    return all(any(_is_form_of(word, each) for each in name) for word in wanted)


def _is_form_of(word: str, name: str) -> bool:
    """Whether a word is a name, or a form of it: names are declined in many languages, and none of them is
    written in plain ASCII."""
    if word == name or word.isascii() or abs(len(word) - len(name)) > _ENDING:
        return word == name
    shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, name, strict=False)))
    return shared >= _SHORTEST_STEM and shared >= min(len(word), len(name)) - 1


def _says(text: str, name: str, content: str) -> bool:
    """Whether a message says a name and nothing beside it."""
    spaced = " ".join("".join(c if c.isalnum() else " " for c in name).split())
    plain = " ".join("".join(c if c.isalnum() else " " for c in content).split())
    return bool(plain) and (plain == spaced or (name in text and plain in spaced))

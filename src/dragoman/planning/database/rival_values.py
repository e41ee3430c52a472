"""Words that are a value and a name at once: what stands around them says which is meant."""

from collections.abc import Sequence

from msgspec.structs import replace

from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.database.value_segments import is_kind
from dragoman.planning.database.verb_forms import akin, is_done
from dragoman.planning.database.vocabulary import Words, english
from dragoman.planning.tables.name_linker import Named
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.words import Token

_TABLE, _DATED, _ABSENT, _SOFT = 0.4, 1.0, 1.2, 0.3
_OTHER_WORD, _NAMED, _SURE = 0.8, 0.5, 0.95
_OF_EACH = 0.4
_RECORDED = 0.9
_AUXILIARY = 3
"""So many words before a participle its auxiliary may stand: have not been."""
_OF = frozenset({"of", "for"})
_ENDS = frozenset({"starts", "ends"})
_WITHOUT = frozenset({"without", "no", "any"})
_TO_PERIOD = 2
"""How many words may stand between a word and its period: shipped in, shipped during the."""


def near_names(tokens: Sequence[Token], named: Sequence[Named], words: Words) -> list[Named]:
    """Words of trade without the names that only another word leads to, and that are no figures: "revenue" is
    no date of a sale, and no venue."""
    found = []
    for each in _wages_alone(tokens, named, words):
        key = tuple(token.stem for token in tokens[each.start : each.end])
        trade = key in words.money or key in words.sold
        figure = each.thing.is_number if each.thing.column is not None else _trades(each.thing)
        if not trade or figure or each.score >= _SURE:
            found.append(each)
    return found


def _wages_alone(tokens: Sequence[Token], named: Sequence[Named], words: Words) -> Sequence[Named]:
    """ "Salary" is what people earn, and no other payment, where the database has that."""
    wages = column_words().wages

    def earns(each: Named) -> bool:
        return bool(wages & set(each.thing.words)) and each.thing.is_number

    alone = [each for each in named if each.end == each.start + 1 and tokens[each.start].stem in words.wages]
    if not any(map(earns, alone)):
        return named
    tables = {each.thing.table.key for each in alone if earns(each)}
    return [each for each in named if each not in alone or earns(each) or each.thing.table.key in tables]


def _trades(table: Thing) -> bool:
    return bool(column_words().trade & set(table.words))


def weighed(
    found: list[Segment],
    tokens: Sequence[Token],
    at: int,
    period_starts: frozenset[int],
    words: Words,
    called: frozenset[int] = frozenset(),
) -> list[Segment]:
    """The pieces that begin at a word, values weighed against what else the same words are. `called`: the
    columns that are named just before it."""
    # "Ended in June" is not a text that ends in anything.
    found = [each for each in found if not (each.end in period_starts and each.kinds & _ENDS)]
    soft = {each.end for each in found if each.piece is Piece.CUE and each.kinds == {"fill"}}
    found = [each for each in found if not (called and _is_other_word(each, found, called))]
    found = [each for each in found if not _is_role_of_kind(each, found, tokens)]
    found = [each for each in found if not _is_kind_of_rows(each, found)]
    names = {each.end: each for each in found if each.piece is Piece.NAME}
    found = [each for each in found if not _is_shown_of(each, names.get(each.end), tokens)]
    return [
        replace(
            each,
            score=each.score - _against(each, names.get(each.end), soft, tokens, at, period_starts, words),
        )
        if each.piece is Piece.VALUE
        else each
        for each in found
    ]


def _is_role_of_kind(name: Segment, found: list[Segment], tokens: Sequence[Token]) -> bool:
    """ "How many sales reps": rows that are of that kind by their own word for it, and not the key by which
    others point at some of them. "The sales rep of Alfa" is the one that is pointed at."""
    if name.piece is not Piece.NAME or not tokens[name.end - 1].low.endswith("s"):
        return False
    if name.end < len(tokens) and tokens[name.end].low in _OF:
        return False
    pointed = {each.thing.number: _points_at(each.thing) for each in name.names if each.score >= _OTHER_WORD}
    kinds = {
        (each.thing.table.info.schema, each.thing.table.info.name)
        for value in found
        if value.piece is Piece.VALUE and value.end == name.end
        for each in value.values
        if each.score >= _OTHER_WORD and not each.inside
    }
    return any(target in kinds for target in pointed.values() if target is not None)


def _is_kind_of_rows(name: Segment, found: list[Segment]) -> bool:
    """ "Papers" are the documents of that kind, and not all documents by another word."""
    if name.piece is not Piece.NAME or max(each.score for each in name.names) >= _SURE:
        return False
    values = (each for each in found if each.piece is Piece.VALUE and each.end == name.end)
    kinds = {
        each.thing.table.key
        for value in values
        for each in value.values
        if each.score >= _OTHER_WORD and not each.inside and is_kind(each)
    }
    return all(each.thing.column is None and each.thing.table.key in kinds for each in name.names)


def _is_shown_of(value: Segment, name: Segment | None, tokens: Sequence[Token]) -> bool:
    """ "The emails of the owners" are shown, whatever else is of a kind called email."""
    if value.piece is not Piece.VALUE or name is None or tokens[value.start].text[:1].isupper():
        return False
    of = value.end < len(tokens) and tokens[value.end].low == "of"
    column = any(each.score >= _SURE and each.thing.column is not None for each in name.names)
    return of and column and not any(each.quoted for each in value.values)


def _points_at(thing: Thing) -> tuple[str, str] | None:
    """The table whose rows a key names."""
    if thing.column is None:
        return None
    for key in thing.table.info.foreign_keys:
        if key.columns == (thing.column.info.name,):
            return (key.schema or thing.table.info.schema, key.table)
    return None


def _is_other_word(name: Segment, found: list[Segment], called: frozenset[int]) -> bool:
    """ "Of type flat", where "Flat" is a type: no other word for an apartment."""
    if name.piece is not Piece.NAME or max(each.score for each in name.names) >= _SURE:
        return False
    values = (each for each in found if each.piece is Piece.VALUE and each.end == name.end)
    return any(each.thing.number in called and each.score >= _OTHER_WORD for v in values for each in v.values)


def _against(
    value: Segment,
    name: Segment | None,
    soft: set[int],
    tokens: Sequence[Token],
    at: int,
    period_starts: frozenset[int],
    words: Words,
) -> float:
    """What speaks against a value."""
    if any(each.quoted for each in value.values):
        return 0.0
    against = 0.0
    capital = at > 0 and tokens[at].text[:1].isupper()
    dated = any(_leads(tokens, value.end, start) for start in period_starts)
    if dated and (value.stem in words.date_verbs or (name is not None and _names_date(name, value))):
        against += _DATED
    alone = value.end == at + 1 and not capital
    if alone and (value.end in soft or tokens[at].low in words.plain):
        against += _SOFT
    if name is None:
        return against
    if not capital:
        tables = [each.score for each in name.names if each.thing.column is None]
        against += _TABLE if max(tables, default=0.0) >= _OTHER_WORD else 0.0
    if not capital and _is_recorded(value, name, tokens, at):
        against += _RECORDED
    if not capital and _is_of_each(tokens, value.end) and max(each.score for each in name.names) >= _NAMED:
        # "The manager of each branch": what each has one of is no value.
        against += _OF_EACH
    before = {token.low for token in tokens[max(0, at - 2) : at]}
    if before & _WITHOUT and not capital and max(each.score for each in name.names) >= _NAMED:
        against += _ABSENT
    return against


def _is_recorded(value: Segment, name: Segment, tokens: Sequence[Token], at: int) -> bool:
    """ "Were mailed to two addresses", "never been rented": what was done to whom, or never, stands in the
    table of what was done. A state says neither."""
    if value.end != at + 1 or not is_done(tokens[at].text):
        return False
    before = [token.low for token in tokens[max(0, at - _AUXILIARY) : at]]
    done = any(word in english().auxiliary for word in before)
    led = value.end < len(tokens) and tokens[value.end].low in english().record_roles
    never = not set(english().never).isdisjoint(before)
    own = {each.thing.table.key for each in value.values}
    tables = (each.thing for each in name.names if each.score >= _NAMED and each.thing.table.key not in own)
    recorded = any(_is_record(each, value.stem) for each in tables)
    return done and (led or never) and recorded


def _is_record(thing: Thing, verb: str) -> bool:
    """Whether a table is that of what a verb does: its rows lead to what it was done to."""
    return len(thing.table.info.foreign_keys) > 0 and any(akin(verb, word) for word in thing.words)


def _is_of_each(tokens: Sequence[Token], end: int) -> bool:
    behind = [token.low for token in tokens[end : end + 2]]
    return len(behind) == 2 and behind[0] in ("of", "for") and behind[1] in english().each


def _leads(tokens: Sequence[Token], end: int, start: int) -> bool:
    """Whether only small words stand before a period: "paid in May", not "paid orders in May"."""
    near = end <= start <= end + _TO_PERIOD
    return near and all(token.low in english().before_periods for token in tokens[end:start])


def _names_date(name: Segment, value: Segment) -> bool:
    """Whether the same words name a date of the rows that have the value."""
    tables = {each.thing.table.key for each in value.values}
    dates = (each for each in name.names if each.thing.is_date and each.score >= _NAMED)
    return any(each.thing.table.key in tables for each in dates)


def whole_values(options: list[list[Segment]]) -> list[list[Segment]]:
    """What may begin at each word, without the ends of values that are said in full: of "Old Town Mill" the
    last word is no mill of its own beside an old town."""
    whole = [each for found in options for each in found if _is_said_in_full(each)]
    return [[each for each in found if not any(_is_end_of(each, one) for one in whole)] for found in options]


def _is_said_in_full(segment: Segment) -> bool:
    said = segment.text.casefold()
    return segment.end - segment.start > 1 and any(each.value.casefold() == said for each in segment.values)


def _is_end_of(segment: Segment, whole: Segment) -> bool:
    """Whether a piece says only the end of values that a longer piece says in full."""
    inside = whole.start < segment.start and segment.end == whole.end and bool(segment.values)
    said = {each.value.casefold() for each in whole.values if each.value.casefold() == whole.text.casefold()}
    return inside and all(each.value.casefold() in said for each in segment.values)

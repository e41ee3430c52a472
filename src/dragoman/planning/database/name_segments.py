"""Names of tables and columns in a message."""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from dragoman.planning.database.column_words import column_words
from dragoman.planning.database.other_names import KEY_WORDS
from dragoman.planning.database.segments import Piece, Segment, text_of
from dragoman.planning.database.vocabulary import english, words_in
from dragoman.planning.tables.cues import linking_words
from dragoman.planning.tables.lexicon import ENGLISH
from dragoman.planning.tables.name_linker import Named
from dragoman.planning.tables.name_words import name_words
from dragoman.planning.tables.words import Kind, Token, stem
from dragoman.tables.graph import TableKey

_LESS = 0.1
_KEYED = 0.96
_FULL = 0.95
_MEANT = 0.75
_CODE = stem("code")
_ONE_OF = frozenset({"which", "each", "every", "per"})


def names(tokens: Sequence[Token], named: Sequence[Named]) -> list[Segment]:
    """Names of tables and columns."""
    by_end: dict[int, list[Named]] = {}
    for each in named:
        if _counts(tokens, each) or _says_which(tokens[each.end - 1], each):
            continue
        if _is_done_with_rows(tokens, each) or _is_order(tokens, each) or _is_of_a_title(tokens, each):
            continue
        links = _only_links(tokens[each.start], each) or _ends_in_link(tokens[each.end - 1], each)
        denied = each.thing.column is None and _denied(tokens, each.start, each.end)
        if (denied or not links) and not _leads_to_name(tokens, each):
            by_end.setdefault(each.end, []).append(each)
    found = []
    for end, every in by_end.items():
        full = [_by_its_key(tokens, _in_full(tokens, each)) for each in every]
        known = _rows_in_full(tokens, _rows_before_keys(tokens, _rows_before_dates(tokens, full)))
        start = known[0].start
        top = max(each.score for each in known)
        content = sum(1 for token in tokens[start:end] if token.kind is not Kind.MARK)
        score = (1.0 * top + 0.08) * content + (0.3 if end - start > 1 and top >= 0.8 else 0)
        if top < 0.55:
            score -= 0.25 * content
        text = text_of(tokens, start, end)
        found.append(Segment(start, end, Piece.NAME, text, tokens[start].stem, score, names=tuple(known)))
    return found


def _in_full(tokens: Sequence[Token], named: Named) -> Named:
    """ "Ship id" is the id of ships, however many tables have a column that is called so after them."""
    said = tuple(token.stem for token in tokens[named.start : named.end])
    whole = named.thing.is_key and said == named.thing.words
    return replace(named, score=max(named.score, 1.0)) if whole else named


def _by_its_key(tokens: Sequence[Token], named: Named) -> Named:
    """ "Fares" are rows that have a fare's id for their key, whatever else the name of their table says."""
    table, last = named.thing.table, tokens[named.end - 1]
    key = table.info.primary_key
    foreign = {name for each in table.info.foreign_keys for name in each.columns}
    if named.thing.column is not None or len(key) != 1 or key[0] in foreign or not _several(last.low):
        return named
    parts = tuple(map(stem, name_words(key[0])))
    # A code tells kinds apart, of which there are records elsewhere.
    words = () if _CODE in parts else tuple(word for word in parts if word not in KEY_WORDS)
    said = tuple(token.stem for token in tokens[named.start : named.end])
    return replace(named, score=max(named.score, _KEYED)) if said == words else named


def _leads_to_name(tokens: Sequence[Token], named: Named) -> bool:
    """ "The name of the project" is a name, and no key that leads to the project."""
    several = named.end > named.start + 1 and tokens[named.start].stem == "name"
    return several and named.thing.is_key and "name" not in named.thing.words


def _is_order(tokens: Sequence[Token], named: Named) -> bool:
    """ "List the kettles" lists them, whatever column is called a list price."""
    alone = named.start == 0 and named.end == 1 and named.thing.column is not None
    word = tokens[0].low in english().orders_given
    return alone and word and len(named.thing.required) > 1 and len(tokens) > 1


def _is_of_a_title(tokens: Sequence[Token], named: Named) -> bool:
    """ "Assistant professors" are not the staff who are professors: before another word for people, a word
    for what they do is a part of their title."""
    told, last = words_in(ENGLISH), tokens[named.end - 1]
    if named.thing.column is not None or named.end >= len(tokens) or last.stem in named.thing.words:
        return False
    alone = named.end == named.start + 1 and last.stem in told.staff_roles
    return alone and tokens[named.end].stem in told.people | told.staff_roles


def _is_done_with_rows(tokens: Sequence[Token], named: Named) -> bool:
    """ "Placed orders" are orders that were placed, and not the days on which they were."""
    last = tokens[named.end - 1]
    day = named.thing.is_date or "date" in named.thing.words
    several = named.end - named.start > 1 and day and _several(last.low)
    table = frozenset(map(stem, name_words(named.thing.table.info.name)))
    return several and tokens[named.start].low.endswith("ed") and last.stem in table


def _asks_share(said: Sequence[str], named: Named) -> bool:
    """ "The percentage of rentals" is a share of them, and not their rate, unless a column is called so."""
    return len(said) > 1 and said[0] in english().share and stem(said[0]) not in named.thing.words


def _counts(tokens: Sequence[Token], named: Named) -> bool:
    """ "Number of rooms" counts rooms: the number of one room is said in the singular."""
    said = [token.low for token in tokens[named.start : named.end]]
    if _asks_share(said, named):
        return True
    if said == ["number"] and named.thing.words[-1] in column_words().numbering:
        # The number of a locker is not what "number of" says before lockers.
        after = [token.low for token in tokens[named.end : named.end + 2]]
        return len(after) > 1 and after[0] == "of" and _several(after[1])
    counts = len(said) > 2 and _several(said[-1]) and said[:2] == ["number", "of"]
    words = set(named.thing.words)
    # The amount of a payment is no number of payments.
    money = bool(words & column_words().money) and not words & column_words().counts
    return counts and (named.thing.words[-1] == "number" or money)


def _says_which(token: Token, named: Named) -> bool:
    """ "A-graded" says which grade, and names no column of grades."""
    first, hyphen, last = token.low.rpartition("-")
    words = named.thing.words
    return bool(hyphen) and last.endswith("ed") and stem(last) in words and stem(first) not in words


def _several(word: str) -> bool:
    return word.endswith("s") and not word.endswith("ss")


def _rows_before_dates(tokens: Sequence[Token], known: Sequence[Named]) -> list[Named]:
    """ "Pledges" are rows of a table of pledges, and no dates of pledge that it has as well."""
    last = tokens[known[0].end - 1]
    if not _several(last.low):
        return list(known)
    rows = {
        each.thing.table.key
        for each in known
        if each.thing.column is None and each.thing.words[-1] == last.stem
    }
    dates = [each for each in known if each.thing.is_date and each.thing.table.key in rows]
    best = max((each.score for each in dates), default=0.0)
    return [
        replace(each, score=min(each.score, best - _LESS))
        if each in dates
        else replace(each, score=max(each.score, best))
        if each.thing.column is None and each.thing.table.key in rows
        else each
        for each in known
    ]


def _rows_before_keys(tokens: Sequence[Token], known: list[Named]) -> list[Named]:
    """ "Countries" and "which country" are rows of a table, and no keys of the same name that lead there from
    everywhere."""
    before = tokens[known[0].start - 1].low if known[0].start else ""
    if not _several(tokens[known[0].end - 1].low) and before not in _ONE_OF:
        return known
    tables = {each.thing.table.key: each for each in known if each.thing.column is None}
    return [each for each in known if not _is_leading(each, tables)]


def _rows_in_full(tokens: Sequence[Token], known: list[Named]) -> list[Named]:
    """ "Boats" are rows of a table of boats, and not of one of boat crews, which has a word more."""
    said = {token.stem for token in tokens[known[0].start : known[0].end]}
    tables = [each for each in known if each.thing.column is None]
    if not any(set(each.thing.required) == said and each.score >= _FULL for each in tables):
        return _by_another_word(known, tables)
    longer = [each for each in tables if said < set(each.thing.required) and each.score < _FULL]
    if _several(tokens[known[0].end - 1].low):
        # "Payments" are no dates on which something was paid, where there is a table of payments.
        longer += [each for each in known if each.score < _FULL and not said & set(each.thing.words)]
    return [each for each in known if each not in longer]


def _by_another_word(known: list[Named], tables: list[Named]) -> list[Named]:
    """ "Movies" are films, where another word is meant: and not the actors of films, whose table has a word
    more."""
    whole = [set(each.thing.required) for each in tables if each.score >= _MEANT]
    longer = [
        each
        for each in tables
        if each.score < _MEANT and any(words < set(each.thing.required) for words in whole)
    ]
    return [each for each in known if each not in longer]


def _is_leading(named: Named, tables: Mapping[TableKey, Named]) -> bool:
    thing = named.thing
    if thing.column is None or not thing.is_key:
        return False
    for key in thing.table.info.foreign_keys:
        target = tables.get((key.schema, key.table))
        if key.columns == (thing.column.info.name,) and target is not None:
            return thing.words == target.thing.words and named.score <= target.score
    return False


def _denied(tokens: Sequence[Token], at: int, end: int) -> bool:
    """Whether there is none of what a word speaks of: "never prescribed", where no noun follows."""
    open_end = (
        end < len(tokens) and tokens[end].kind is Kind.WORD and tokens[end].low not in english().closing
    )
    return not open_end and any(token.low in english().denying for token in tokens[max(0, at - 2) : at])


def _ends_in_link(token: Token, named: Named) -> bool:
    """A verb is not a part of a name that is only near it: members live, customers bought."""
    sold = (token.stem,) in words_in(ENGLISH).sold and token.stem not in named.thing.words
    if named.end > named.start + 1 and named.score < 0.95 and sold:
        return True
    return named.end > named.start + 1 and named.score < 0.65 and token.low in linking_words()


def _only_links(token: Token, named: Named) -> bool:
    """A verb that only links is not a name by another word for it: "placed" is not a place."""
    if named.end == named.start + 1 and token.low in english().prepositions:
        return named.score < 0.95
    if named.end == named.start + 1 and token.low in english().auxiliary:
        return named.score < 0.95
    if named.end != named.start + 1 or named.score >= 0.95 or token.low not in linking_words():
        return False
    return token.low.endswith(("ed", "ing", "en", "wn")) or named.score < 0.55

"""Names of a schema as people say them: `o_totalprice` is total price, `arr_delay` is arrival delay.

What is shown must be true whoever named the columns. Only what can hardly mean anything else is written out:
words that were written as one, and short forms that are the beginning or the skeleton of their word and no
words themselves. `HR` keeps its capitals: it may be hours, home runs or human resources.
"""

from functools import cache, lru_cache

from dragoman.answering.words.names import in_words
from dragoman.answering.words.vocabulary import words_of
from dragoman.locales.registry import FALLBACK, language
from dragoman.planning.tables.fused_words import NameWords, written_apart
from dragoman.planning.tables.name_words import name_parts
from dragoman.tables.graph import Graph, Link, Table

_FEWEST_LETTERS = 3
_FEWEST_COLUMNS = 3
_LONGEST_PREFIX = 4
_KEYS = ("key", "code", "num", "id", "no", "nr", "fk")
"""How the columns end that lead to rows of other tables, the longest first."""
_LAST = {"id": "ID", "no": "number", "num": "number", "nbr": "number"}
"""What stands at the end of a name, as people write it there."""


def column_words(table: Table | None, real: str) -> str:
    """The words of a column, without what the columns of its table all begin with."""
    name = real if table is None else real.removeprefix(shared_prefix(table))
    return written_out(in_words(name))


def table_words(real: str) -> str:
    return written_out(in_words(real))


def step_words(graph: Graph, table: Table, link: Link) -> str:
    """The words of a step along a key: the row that it leads to, or the part which that row plays. A key that
    says nothing but that, `custkey` or `CID`, is called by the row."""
    target = graph.tables[link.target]
    name = link.name.removeprefix(shared_prefix(table))
    is_column = link.name in {
        table.by_real_name[here].name for here, _ in link.pairs if here in table.by_real_name
    }
    stem = _without_key(name) if is_column else name
    keys = [key for key in table.info.foreign_keys if (key.schema, key.table) == link.target]
    alone = len(keys) == 1
    begins = target.info.name.casefold().startswith(stem.casefold()) and stem.casefold() not in _short()
    if alone and (not stem or (is_cut_from(stem, target.info.name) and (is_column or not begins))):
        return words_of(FALLBACK).singular(table_words(target.info.name))
    return written_out(in_words(stem or name))


def shared_prefix(table: Table) -> str:
    """What the names of all columns begin with, where it only says whose they are: `o_` of orders."""
    names = [column.info.name for column in table.columns.values()]
    prefix = names[0].partition("_")[0] + "_" if names else "_"
    short = prefix[:-1].casefold()
    if len(names) < _FEWEST_COLUMNS or not 0 < len(short) <= _LONGEST_PREFIX:
        return ""
    if not all(name.startswith(prefix) and len(name) > len(prefix) for name in names):
        return ""
    return prefix if is_cut_from(short, table.info.name) else ""


def is_cut_from(short: str, whole: str) -> bool:
    """Whether letters of a name in their order make a shorter one that begins alike: cust, ps, stu."""
    low, letters = short.casefold(), "".join(each for each in whole.casefold() if each.isalnum())
    if not low or not letters.startswith(low[0]):
        return False
    left = iter(letters)
    return all(letter in left for letter in low)


def _without_key(name: str) -> str:
    """The part of a key's name that says what it leads to: `cust` of `custkey`, nothing of `ID`."""
    low = name.casefold()
    ending = next((each for each in _KEYS if low.endswith(each)), "")
    return name[: len(name) - len(ending)].rstrip("_-") if ending else name


@lru_cache(maxsize=8192)
def written_out(words: str) -> str:
    """Words of a name with those written out that are cut short or written as one."""
    pieces = words.split(" ")
    last = len(pieces) - 1
    found = [_piece(each, alone=not last, ends=place == last) for place, each in enumerate(pieces)]
    return " ".join(found)


def _piece(word: str, *, alone: bool, ends: bool) -> str:
    if not word.isascii() or not word.isalpha() or not word.islower():
        return word
    if ends and not alone and word in _LAST:
        return _LAST[word]
    short = _short().get(word)
    if short is not None:
        return " ".join(short)
    known = _parts()
    if word in known.known or word in known.dictionary:
        return word
    parts = written_apart(word, NameWords(known.known, _short(), known.dictionary))
    if not parts or any(len(each) < _FEWEST_LETTERS for each in parts[:-1]):
        return word
    *before, end = parts
    return " ".join((*before, _LAST.get(end, end)))


@cache
def _parts() -> NameWords:
    return name_parts()


@cache
def _short() -> dict[str, tuple[str, ...]]:
    """Short forms that can be nothing else: the beginning or the skeleton of their word, or several words of
    which the last is whole."""
    known = _parts()
    words = {*known.dictionary, *language(FALLBACK).texts("columns")["also_words"]}
    return {
        short: whole for short, whole in known.short.items() if short not in words and _is_clear(short, whole)
    }


def _is_clear(short: str, whole: tuple[str, ...]) -> bool:
    if len(short) < _FEWEST_LETTERS or not whole:
        return False
    if len(whole) == 1:
        return len(whole[0]) > len(short) and is_cut_from(short, whole[0])
    return short.endswith(whole[-1]) and is_cut_from(short, "".join(whole))

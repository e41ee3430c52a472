"""What a program does that no word of the message asked for."""

import datetime as dt
from collections.abc import Iterator
from fractions import Fraction

from dragoman.locales.script import LATIN, NO_SCRIPT, script_of
from dragoman.reading.periods import PeriodMention
from dragoman.review.added_figures import added_to, told_apart
from dragoman.review.case import Case, is_key, leads_to, path_words
from dragoman.review.commitments import Atom, denies, number_of
from dragoman.review.current_states import is_achieved, is_stock
from dragoman.review.demanded_numbers import holds_hundredths, numbers_in
from dragoman.review.demanded_periods import day_of
from dragoman.review.demanded_states import turned
from dragoman.review.demanded_words import is_of_noun
from dragoman.review.doers import gathers
from dragoman.review.likeness import SHORT, alike, is_code, supports
from dragoman.review.names import spells, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Cue, Word
from dragoman.tables.graph import Column
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import Measured, ReadRequest
from dragoman.tables.verbs import TableVerb

_OPENING = 3
"""So many words open a question for one: which pupil is."""


def filters(case: Case) -> Iterator[Objection]:
    """Every value that rows must have stands in the message, or its column does."""
    for atom in case.committed.atoms:
        match atom.value:
            case str() if day_of(atom.value) is None:
                yield from _text(case, atom)
            case bool() | None:
                named = _is_named(case, atom.column) or turned(case, atom.column) is not None
                if not atom.having and not named and not _linked(case, atom):
                    yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            case int() | float() | _ if number_of(atom.value) is not None:
                if not _has_number(case, atom) and turned(case, atom.column) is None:
                    code = Code.HAVING_UNASKED if atom.having else Code.FILTER_UNASKED
                    yield case.objection(code, part=atom.part)
            case _:
                yield from _days(case, atom)


def _text(case: Case, atom: Atom) -> Iterator[Objection]:
    value = str(atom.value)
    # A yes may be what somebody said.
    small = case.message.small_words - column_words("holds") if len(value) <= SHORT else frozenset()
    support = [
        word for word in case.words if supports(word, value) and (word.quoted or word.form not in small)
    ]
    support += [word for word in case.words if _is_coded(word, atom, value)]
    if (
        not support
        and not _stands_for(case, atom, value)
        and not _is_misspelt(case, atom, value)
        and _is_in_same_script(case, value)
    ):
        yield case.objection(Code.FILTER_UNASKED, part=atom.part)
        return
    # "In March" is no Marc, whatever names there are.
    timely = [word for word in support if case.message.in_period(word)]
    if support and len(timely) == len(support) and not _keeps_time(atom):
        said = next(each.text for each in case.message.periods if each.start <= timely[0].start < each.end)
        if (said.casefold() not in value.casefold() and value.casefold() not in said.casefold().split()) or (
            any(each.month and each.text == said for each in case.message.periods) and _is_person(atom)
        ):
            yield case.objection(Code.PERIOD_AS_NAME, said, atom.part)


def _is_coded(word: Word, atom: Atom, value: str) -> bool:
    """Whether a code stands for a word: NLD for the Netherlands, USA for US."""
    named = atom.column is not None and bool(words_of(atom.column.info.name) & column_words("key"))
    if named and len(word.form) > SHORT and is_code(value.casefold(), word.form):
        return True
    return word.text.isupper() and len(word.text) > 1 and value.startswith(word.text)


def _is_misspelt(case: Case, atom: Atom, value: str) -> bool:
    """Whether a word is a value but for one letter, or denies it: acident, unsolved."""
    from rapidfuzz.distance import OSA

    low = value.casefold()
    denied = (case.message.vocabulary.negating.sub("", word.form) for word in case.words)
    if denies(atom) and low in denied:
        return True
    return len(low) > SHORT * 2 and any(
        OSA.distance(word.form, low, score_cutoff=1) <= 1 for word in case.words
    )


def _is_in_same_script(case: Case, value: str) -> bool:
    """A name in other letters than the message is in cannot be looked for: Нина and Nina."""
    scripts = {script_of(word.form) for word in case.words if word.number is None}
    return not scripts - {NO_SCRIPT, script_of(value)}


def _keeps_time(atom: Atom) -> bool:
    return atom.column is not None and bool(words_of(atom.column.info.name) & column_words("time"))


def _is_person(atom: Atom) -> bool:
    names = column_words("first_name") | column_words("last_name")
    return atom.column is not None and bool(words_of(atom.column.info.name) & names)


def _stands_for(case: Case, atom: Atom, value: str) -> bool:
    """A code may stand for a word: F for female, Y where the column itself was named."""
    if any(
        word.keys & case.message.vocabulary.codes.get(value.casefold(), frozenset()) for word in case.words
    ):
        return True
    if len(value) <= SHORT:
        named = _is_named(case, atom.column) or is_achieved(case, atom)
        return named or _initials(case, value.casefold())
    return False


def _initials(case: Case, value: str) -> bool:
    letters = "".join(word.form[:1] for word in case.words)
    return value in letters


def _is_named(case: Case, column: Column | None) -> bool:
    """Whether any word of a column's name stands in the message, written out or cut short."""
    if column is None:
        return True
    parts = [part for part in words_of(column.info.name) if len(part) > 1]
    return spells(case.words, column.info.name) or any(
        alike(word, part) or word.form.startswith(part) or (len(part) > SHORT and word.form.endswith(part))
        for word in case.words
        for part in parts
    )


def _is_abbreviated(case: Case, column: Column) -> bool:
    """Whether the first letters of words that stand together make a column's name: `GD`, goal difference."""
    name = column.info.name.casefold()
    if len(name) < 2 or not name.isalpha():
        return False
    runs = zip(*(case.words[at:] for at in range(len(name))), strict=False)
    return any(
        not run[0].keys & case.message.small_words and "".join(word.form[:1] for word in run) == name
        for run in runs
    )


def _linked(case: Case, atom: Atom) -> bool:
    if any(words_of(link.name) & word.keys for link in atom.links for word in case.words):
        return True
    return atom.sign == "missing" or atom.value is None


def _has_number(case: Case, atom: Atom) -> bool:
    value = Fraction(number_of(atom.value) or 0)
    said: set[Fraction] = set()
    for at, word in enumerate(case.words):
        if word.number is not None:
            said |= {Fraction(word.number) * scale for scale in _scales(case, at)}
        elif len(word.form) > 1 and word.form in case.message.vocabulary.scales:
            # "Over a million".
            said.add(Fraction(case.message.vocabulary.scales[word.form]))
    for each in numbers_in(case):
        # "Two and a half hours".
        said |= {each.value, *each.scaled()}
    if holds_hundredths(case, atom):
        said |= {one * 100 for one in said}
    if any(abs(value - one) <= 1 or (one and abs(value / one - 1) < Fraction(1, 50)) for one in said):
        return True
    if any(value in (each.year, each.month, each.day, each.quarter) for each in _mentions(case)):
        return True
    # A word may stand for 0, 1 or 2: none, one, once, several; and a flag for what its column is called.
    if value == 0 and case.message.hints("zero"):
        return True
    if value in (0, 1) and (is_stock(case, atom) or is_achieved(case, atom)):
        return True
    if value in (0, 1, 2):
        return atom.having or _is_named(case, atom.column) or bool(case.message.does("negation", "exact"))
    return any(str(number_of(atom.value)) in word.form for word in case.words)


def _mentions(case: Case) -> Iterator[PeriodMention]:
    for each in case.message.periods:
        yield each
        if each.until is not None:
            yield each.until


def _scales(case: Case, at: int) -> Iterator[Fraction]:
    """A number by itself, with the scale behind it, and in other units."""
    yield Fraction(1)
    yield Fraction(1, 100)
    told = case.message.vocabulary
    scale = Fraction(1)
    for word in case.words[at + 1 : at + 3]:
        if word.form in told.scales:
            scale *= told.scales[word.form]
            yield scale
    if any(word.keys & told.clock for word in case.words[at + 1 : at + 2]):
        yield from (Fraction(60), Fraction(100))
    if any(word.form in told.units for word in case.words[at + 1 : at + 4]):
        for factor in (60, 1000, 3600, 60_000, 3_600_000, 100, 24, 7, 1024, 1024**2, 1024**3):
            yield Fraction(factor)
            yield Fraction(1, factor)


def _days(case: Case, atom: Atom) -> Iterator[Objection]:
    values = atom.value if isinstance(atom.value, tuple) else (atom.value,)
    days = [day for value in values if value is not None and (day := day_of(value)) is not None]
    # A day that never comes stands for what lasts.
    days = [day for day in days if day.year < _NEVER]
    if days and not case.message.periods and not any(_says_day(case, day) for day in days):
        yield case.objection(Code.PERIOD_UNASKED, part=atom.part)


_NEVER = 2900


def _says_day(case: Case, day: dt.date) -> bool:
    if any(word.form in case.message.vocabulary.decades for word in case.words):
        return True
    return str(day.year) in case.message.text or any(
        word.quoted or (word.number is not None and word.number in (day.day, day.year)) for word in case.words
    )


def negations(case: Case) -> Iterator[Objection]:
    message = case.message
    if not case.committed.negates or message.does("negation", "negative") or message.hints("negative"):
        return
    if any(message.vocabulary.negating.match(word.form) for word in case.words):
        return
    # Others than the one row that they are compared with are no negation.
    atoms = [atom for atom in case.committed.atoms if denies(atom)]
    if len(case.committed.requests) > 1:
        atoms = [atom for atom in atoms if atom.value is not None]
    said = [atom.part for atom in atoms] + [
        each.links[-1].name for each in case.committed.linkings if each.absent
    ]
    if said:
        yield case.objection(Code.NEGATION_UNASKED, part=said[0])


def _closes(case: Case, cue: Cue, firsts: frozenset[str]) -> bool:
    """Whether a superlative makes an order together with a word that ends its phrase."""
    for word in case.words[cue.last : cue.last + 3]:
        if word.form in firsts and not case.uses_words(word):
            return case.message.text[word.end : word.end + 1] in ("", ",", ":", ";", ".", "?")
    return False


def _asks_for_one(case: Case) -> bool:
    """ "Which pupil is the best" asks for one."""
    told = case.message.vocabulary
    first, rest = case.words[:1], case.words[1:3]
    return (
        len(rest) == 2
        and first[0].form in told.which_of
        and not rest[0].is_plural
        and rest[1].form in told.of_one
    )


def limits(case: Case) -> Iterator[Objection]:
    message = case.message
    cues = message.does("most", "least", "extreme")
    # "Heaviest first" is an order of all.
    firsts = message.vocabulary.sorts.get("behind", frozenset())
    plain = [cue for cue in cues if case.words[cue.first].form not in firsts]
    ordered = bool(plain) and all(_closes(case, cue, firsts) for cue in plain)
    ranked = bool(cues or message.hints("extreme")) and not ordered
    if ranked and not _asks_for_one(case):
        return
    # The row that others are compared with is one by nature.
    for request in case.committed.requests[-1:]:
        cut = request.top if request.top is not None else request.limit
        said = any(word.number == cut for word in case.words) or (ranked and cut == 1)
        if cut is not None and not said:
            yield case.objection(Code.LIMIT_UNASKED, part=str(cut))


def orders(case: Case) -> Iterator[Objection]:
    message = case.message
    cues = ("descending", "ascending", "order", "most", "least", "extreme")
    if message.does(*cues) or message.hints("order") or message.hints("extreme"):
        return
    for request in case.committed.requests:
        for each in request.order:
            if isinstance(each.by, Measured) or each.by not in (*request.by, *request.columns[:1]):
                yield case.objection(Code.ORDER_UNASKED, part=each.by.written)
                return


def measures(case: Case) -> Iterator[Objection]:
    for request in case.committed.requests:
        for each in request.measures:
            if _is_shown(request, each) and not _is_asked(case, request, each):
                yield case.objection(Code.MEASURE_UNASKED, part=each.written)
                return


def _is_shown(request: ReadRequest, measured: Measured) -> bool:
    return measured in request.shown or any(each.by == measured for each in request.order)


def _is_asked(case: Case, request: ReadRequest, measured: Measured) -> bool:
    message = case.message
    named = isinstance(measured.of, ColumnPath) and _is_named(case, measured.of.column)
    adds = measured.verb in (TableVerb.SUM, TableVerb.AVERAGE)
    if measured.verb in _verbs_before(case):
        return True
    if adds and isinstance(measured.of, ColumnPath) and is_key(request, measured.of):
        # Keys are no amounts.
        return False
    match measured.verb:
        case TableVerb.COUNT:
            figures = ["count", "share"]
            if request.by:
                figures += ["most", "least", "extreme", "above", "below", "at-least", "at-most"]
            cues = [cue for cue in message.does(*figures) if not is_of_noun(case, cue)]
            if not cues and message.does("count") and not request.by:
                # The room numbers of a floor are no number of rooms.
                return False
            return bool(cues) or message.hints("count") or _asks_groups(case)
        case TableVerb.SUM:
            named = named or (
                isinstance(measured.of, ColumnPath) and _is_abbreviated(case, measured.of.column)
            )
            grouped = (bool(message.does("each", "by")) or bool(request.by)) and named
            asked = message.does("sum", "count", "share") or message.hints("sum")
            much = any(word.form in message.vocabulary.much for word in case.words)
            return bool(asked) or much or grouped
        case TableVerb.AVERAGE:
            return bool(message.does("average")) or message.hints("average")
        case TableVerb.MIN | TableVerb.MAX:
            return bool(message.does("most", "least", "extreme")) or message.hints("extreme")
        case _:
            return str(measured.verb) != "share" or bool(message.does("share", "each", "by"))


def _verbs_before(case: Case) -> set[TableVerb]:
    """What was worked out in the programs that the message leans on: "and the arrival delay?"."""
    return {each.verb for before in case.before for each in before.measures}


def _asks_groups(case: Case) -> bool:
    """ "Visits per month" asks how many; what was done by somebody does not."""
    return any(cue.does == "each" or gathers(case, cue) for cue in case.message.does("each", "by"))


def groups(case: Case) -> Iterator[Objection]:
    if case.message.does("each", "by", "most", "least", "extreme") or case.message.hints("group"):
        return
    if not any(script_of(word.form) == LATIN for word in case.words):
        # Names of columns are mostly in Latin letters: what is said in others cannot be found among them.
        return
    rows = added_to(case)
    for request in case.committed.requests:
        for path in request.by:
            table = case.graph.tables[path.links[-1].target] if path.links else request.table
            if rows & told_apart(case, table, path):
                continue
            words = path_words(path) | leads_to(case.graph, table, path)
            if path.links or path.column.info.name in table.info.primary_key:
                words |= words_of(table.info.name)
            if not any(alike(word, part) for word in case.words for part in words if len(part) > 1):
                yield case.objection(Code.GROUP_UNASKED, part=path.written)
                return


def lone_groups(case: Case) -> Iterator[Objection]:
    """Groups of one row each: there is nothing to count in them."""
    for request in case.committed.requests:
        own = [path.column.info.name for path in request.by if not path.links and path.part is None]
        if own and not request.joined and request.table.determined_by(own):
            yield case.objection(Code.GROUP_UNASKED, part=", ".join(path.written for path in request.by))
            return

"""Small marks that turn a condition: the first ever, always, ends with, and what a negation is about."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from dragoman.review.case import Case, shown_paths
from dragoman.review.commitments import Atom, Linking
from dragoman.review.demanded_figures import is_near, is_spoken_of
from dragoman.review.likeness import supports
from dragoman.review.names import parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.paths import ColumnPath
from dragoman.tables.verbs import TableVerb

_BEHIND: Final = 2
_FEW: Final = 4


def first_rows(case: Case) -> Iterator[Objection]:
    """ "Who took the first ever order" looks for one order, the first of all."""
    told = case.message.vocabulary
    ordered = any(r.order or r.top or r.limit for r in case.committed.requests)
    found = {each.verb for each in case.committed.measures} & {TableVerb.MIN, TableVerb.MAX}
    if ordered or found or case.before:
        return
    for cue in case.message.does("extreme"):
        word, before = case.words[cue.first], case.words[cue.first - 1] if cue.first else None
        if word.form not in told.final or before is None or before.form not in told.articles:
            continue
        named = case.named_after(cue.last, _BEHIND - 1)
        noun = None if named is None else case.words[named.last - 1]
        if named is None or noun is None or not named.tables or noun.is_plural:
            continue
        if not any(word.form in text.casefold() for text in case.committed.texts):
            yield case.demanded(Code.SUPERLATIVE_MISSING, cue)
            return


def always(case: Case) -> Iterator[Objection]:
    """What is always below 70 is never above: that some row is below is not enough."""
    word = next((word for word in case.words if word.form in case.message.vocabulary.always), None)
    if word is None or word.quoted or case.uses_words(word):
        return
    everywhere = any(each.absent for each in case.committed.linkings) or any(
        atom.having for atom in case.committed.atoms
    )
    if case.committed.atoms and not everywhere:
        yield case.objection(Code.COMPARISON_MISSING, word.text)


def edges(case: Case) -> Iterator[Objection]:
    """ "Names that end with m" have it at their end, and not just anywhere."""
    told = case.message.vocabulary
    matched = [atom for atom in case.committed.atoms if atom.sign in ("contains", "starts", "ends")]
    for word, following in pairwise(case.words):
        for side, forms in told.edges.items():
            if word.form not in forms or following.form not in told.edge_of or case.uses_words(word):
                continue
            value = next((w for w in case.words if w.start > following.start and _is_letter(w)), None)
            held = [a for a in matched if value is not None and supports(value, str(a.value))]
            if held and all(atom.sign != side for atom in held):
                said = f"{word.text} {following.text}"
                yield case.objection(Code.COMPARISON_MISSING, said, held[0].part)
                return


def _is_letter(word: Word) -> bool:
    return word.quoted or len(word.form) == 1 or word.capital


def cues_as_values(case: Case) -> Iterator[Objection]:
    """A total of all looks for nobody called Total."""
    cues = case.message.does("sum", "average", "count", "share")
    inside = {at for cue in cues for at in range(cue.first, cue.last)}
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.part in case.carried:
            continue
        spots = [at for at, word in enumerate(case.words) if supports(word, atom.value)]
        written = any(case.words[at].capital or case.words[at].quoted for at in spots)
        if spots and not written and set(spots) <= inside:
            yield case.objection(Code.FILTER_UNASKED, part=atom.part)
            return


def denied_values(case: Case) -> Iterator[Objection]:
    """Who never worked with Nina lacks work with Nina: no word speaks of anything else that they lack."""
    cues = case.message.does("negation")
    if not cues or case.before:
        return
    for linking in case.committed.linkings:
        if not linking.absent or _is_spoken_of(case, linking):
            continue
        for atom in case.committed.atoms:
            if (
                not isinstance(atom.value, str)
                or atom.negated
                or atom.links[: len(linking.links)] == linking.links
            ):
                continue
            spots = [at for at, word in enumerate(case.words) if supports(word, atom.value)]
            if spots and min(spots) >= cues[0].last:
                yield case.objection(Code.NEGATION_UNASKED, part=linking.links[-1].name)
                return


def _is_spoken_of(case: Case, linking: Linking) -> bool:
    link = linking.links[-1]
    own = frozenset().union(*(words_of(r.table.info.name) for r in case.committed.requests))
    names = (words_of(link.name) | words_of(link.target[-1])) - own
    return case.mentions(names) or any(is_near(word, names) for word in case.words)


def unsaid_taxes(case: Case) -> Iterator[Objection]:
    """The amount of an order is not the tax on it."""
    request = case.committed.requests[-1] if case.committed.requests else None
    if request is None or request.verb is not TableVerb.LIST or case.before:
        return
    paths = shown_paths(request)
    word = next((word for word in case.words if word.keys & column_words("money")), None)
    for path in paths if word is not None and len(paths) <= _FEW else ():
        owed = words_of(path.column.info.name) & column_words("owed")
        if word is not None and owed and not case.mentions(owed):
            yield case.objection(Code.COLUMN_CONTRADICTED, word.text, path.written)
            return


def ways(case: Case) -> Iterator[Objection]:
    """What goes to Arden does not come from there, where rows have both ends."""
    told = case.message.vocabulary
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.column is None or atom.part in case.carried:
            continue
        end = atom.links[-1].name if atom.links else atom.column.info.name
        spots = [at for at, word in enumerate(case.words) if supports(word, atom.value)]
        before = [at - 1 for at in spots if at]
        before += [at - 1 for at in before if at and case.words[at].form in told.articles]
        names = words_of(end)
        for way, other in (("to", "from"), ("from", "to")):
            forms = told.ways.get(way, frozenset())
            said = next((case.words[at] for at in before if case.words[at].form in forms), None)
            turned = names & column_words(f"{other}_place") and not names & column_words(f"{way}_place")
            if said is not None and turned and _has_end(case, atom, way):
                yield case.objection(Code.ROLE_MISSING, f"{said.text} {atom.value}", atom.part)
                return


def _has_end(case: Case, atom: Atom, way: str) -> bool:
    """Whether rows that have one end of a way have the other too."""
    start = atom.links[-2].target if len(atom.links) > 1 else None
    tables = [case.graph.tables[key] for key in case.committed.tables if start in (None, key)]
    names = column_words(f"{way}_place")
    return any(words_of(column.info.name) & names for table in tables for column in table.columns.values())


def never_by_one(case: Case) -> Iterator[Objection]:
    """What Nina never handled has no row of hers: that it has one of somebody else is not enough."""
    word = next((word for word in case.words if word.form in case.message.vocabulary.never), None)
    request = case.committed.requests[-1] if case.committed.requests else None
    if word is None or request is None or any(each.absent for each in case.committed.linkings):
        return
    others = bool(request.by) or (shown_paths(request) and all(p.links for p in shown_paths(request)))
    for atom in case.committed.atoms:
        if others and atom.negated and atom.sign == "equal" and isinstance(atom.value, str):
            yield case.objection(Code.NEGATION_MISSING, word.text, atom.part)
            return


def added_shares(case: Case) -> Iterator[Objection]:
    """Percentages add up to nothing."""
    for each in case.committed.measures:
        if each.verb is not TableVerb.SUM or not isinstance(each.of, ColumnPath):
            continue
        name = each.of.column.info.name
        shares = words_of(name) & column_words("percent")
        # A rating in percent is a rating.
        unit = bool(parts_of(name)[-1] & shares) and is_spoken_of(case, words_of(name) - shares)
        if (
            shares
            and not unit
            and not case.mentions(column_words("percent"))
            and not case.message.does("share")
        ):
            yield case.objection(Code.COLUMN_CONTRADICTED, case.message.text, each.written)
            return

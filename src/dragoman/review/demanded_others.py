"""Rows beside the other rows of their table: the same town as another, pairs, what somebody shares."""

from collections.abc import Iterator

from dragoman.review.case import Case
from dragoman.review.names import words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Word
from dragoman.tables.graph import Link
from dragoman.tables.verbs import TableVerb

_SAME = 4
"""So far behind "same" its "as" may stand."""
_SHARED = 7
"""And so far behind "share" those that somebody shares it with."""


def compared_rows(case: Case) -> Iterator[Objection]:
    """ "In the same town as Alma" compares rows with a row, "pairs" and "with another" with each other."""
    told = case.message.vocabulary.same
    links = other_links(case)
    joined = paired(case)
    if not links and (
        len(case.committed.requests) > 1 or any(atom.value is None for atom in case.committed.atoms)
    ):
        return
    for at, word in enumerate(case.words):
        alone = not links and (_alike_among(case, at) or _is_mate(case, word))
        if alone or _alike_in_more(case, at, links):
            yield case.objection(Code.COMPARISON_MISSING, word.text)
            return
        pairs = word.form in told.get("pairs", ()) and not case.uses_words(word) and not joined
        if pairs or (not links and (_as_another(case, at) or _shared(case, at))):
            yield case.objection(Code.COMPARISON_MISSING, word.text)
            return


def unsaid_others(case: Case) -> Iterator[Objection]:
    """Rows are held against each other where somebody says so, and in pairs where pairs are meant."""
    told, links = case.message.vocabulary.same, other_links(case)
    if not links or not told:
        return
    said = [word for word in case.words if _speaks_of_others(case, word)]
    pairing = told.get("pairs", frozenset()) | told.get("two", frozenset()) | told.get("differ", frozenset())
    if not said or (paired(case) and not any(word.form in pairing for word in case.words)):
        yield case.objection(Code.FILTER_UNASKED, part=links[0].name)


def is_shared(case: Case, at: int) -> bool:
    """Whether a word is what rows have in common: "with the same town as Ada" need not show hers."""
    same = case.message.vocabulary.same.get("same", frozenset())
    return at > 0 and case.words[at - 1].form in same and bool(other_links(case))


def paired(case: Case) -> bool:
    """Whether rows stand beside others of their table."""
    return any(link.apart for request in case.committed.requests for link in request.joined)


def other_links(case: Case) -> list[Link]:
    """The steps of a program from rows to the others of their table."""
    found = [link for request in case.committed.requests for link in request.joined]
    found += [link for each in case.committed.linkings for link in each.links]
    found += [link for path in case.committed.columns for link in path.links]
    return [link for link in dict.fromkeys(found) if link.apart]


def _speaks_of_others(case: Case, word: Word) -> bool:
    told = case.message.vocabulary.same
    known = ("same", "pairs", "others", "shares", "common", "mates")
    if any(word.form in told.get(key, ()) for key in known):
        return True
    return any(word.form.endswith(ending) for ending in told.get("mate_endings", ()))


def _is_mate(case: Case, word: Word) -> bool:
    """ "Colleagues of Ada": she is not her own, whatever rows are called so."""
    names = column_words("first_name") | column_words("last_name") | column_words("called")
    named = any(
        atom.column is not None
        and atom.sign == "equal"
        and not (atom.negated or atom.links)
        and bool(words_of(atom.column.info.name) & names)
        for atom in case.committed.atoms
    )
    return named and word.form in case.message.vocabulary.same.get("mates", ())


def _alike_in_more(case: Case, at: int, links: list[Link]) -> bool:
    """ "The same town and street as": both are the same."""
    told = case.message.vocabulary.same
    following = [word.form for word in case.words[at + 1 : at + 1 + _SHARED]]
    end = next((place for place, form in enumerate(following) if form in told.get("as", ())), 0)
    several = not told.get("and", frozenset()).isdisjoint(following[:end])
    return case.words[at].form in told.get("same", ()) and several and len(links) == 1


def _alike_among(case: Case, at: int) -> bool:
    """ "Who have the same age": rows that are not gathered by it hold none against another."""
    word, behind = case.words[at], case.words[at + 1 : at + 2]
    if word.form not in case.message.vocabulary.same.get("same", ()) or case.before or case.uses_words(word):
        return False
    held = [atom for atom in case.committed.atoms if not atom.having]
    if case.message.in_period(word) or case.committed.linkings or held:
        return False
    gathered = [path for each in case.committed.requests for path in each.by]
    lists = all(each.verb is TableVerb.LIST or each.by for each in case.committed.requests)
    return lists and not any(
        next_.keys & words_of(path.column.info.name) for path in gathered for next_ in behind
    )


def _as_another(case: Case, at: int) -> bool:
    """ "The same town as": something is the same as elsewhere."""
    told = case.message.vocabulary.same
    following = case.words[at + 1 : at + 1 + _SAME]
    return case.words[at].form in told.get("same", ()) and any(
        word.form in told.get("as", ()) for word in following
    )


def _shared(case: Case, at: int) -> bool:
    """ "Share an address with somebody else", "have a name in common"."""
    told = case.message.vocabulary.same
    following = case.words[at + 1 : at + 1 + _SHARED]
    if case.words[at].form in told.get("shares", ()):
        return any(word.form in told.get("others", ()) for word in following)
    common = case.words[at].form in told.get("common", ())
    return common and at > 0 and case.words[at - 1].form in told.get("before_common", ())

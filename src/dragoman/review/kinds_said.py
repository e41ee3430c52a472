"""A word before the noun that is asked for says what kind of it is meant, and so does the program."""

from collections.abc import Iterator

from dragoman.review.case import Case, is_called_so, shown_paths
from dragoman.review.demanded_figures import is_near, is_slip
from dragoman.review.doers import is_deed
from dragoman.review.likeness import is_code, split, supports
from dragoman.review.names import parts_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words


def adjectives(case: Case) -> Iterator[Objection]:
    """ "How many retired guides": a word between the number that is asked for and a noun that is used."""
    if not case.committed.requests or case.before:
        return
    told = case.message.vocabulary.same.get("as", frozenset())
    # "Departments which offer courses" says what they do.
    starts = [c.last for c in case.message.does("count", "which") if c.does == "count" or c.first <= 1]
    starts += [at + 1 for at, word in enumerate(case.words) if word.form in told]
    for at in starts:
        if at + 1 < len(case.words) and _is_noun(case, at + 1) and not _is_explained(case, at):
            yield case.objection(Code.VALUE_MISSING, case.words[at].text)
            return


def beside_values(case: Case) -> Iterator[Objection]:
    """ "Only the former helpers" are not all who are helpers: a word before a value that stands for its rows
    is part of what they are called."""
    told = case.message.vocabulary
    for atom in case.committed.atoms:
        if not isinstance(atom.value, str) or atom.sign != "equal" or len(split(atom.value)) > 1:
            continue
        for at, word in enumerate(case.words):
            opens = at > 1 and case.words[at - 2].form in told.articles
            if not opens or not word.is_plural or word.quoted or not supports(word, atom.value):
                continue
            if not (told.verbal.search(case.words[at - 1].form) or _is_told(case, at - 1)):
                yield case.objection(Code.VALUE_MISSING, case.words[at - 1].text, atom.part)
                return


def _is_noun(case: Case, at: int) -> bool:
    """Whether the name of a table that is used stands here."""
    used = case.committed.tables
    word = case.words[at]
    return word.is_plural and any(
        word.keys & part for key in used for part in parts_of(case.graph.tables[key].info.name)[-1:]
    )


def _is_explained(case: Case, at: int) -> bool:
    """Whether a word is told of, or may be what a condition says that has no word of its own."""
    return _is_told(case, at) or _is_held(case)


def _is_told(case: Case, at: int) -> bool:
    """Whether a word is small, part of something else, or used in whatever way."""
    word, told = case.words[at], case.message.vocabulary
    if word.number is not None or word.quoted or word.keys & (case.message.small_words | told.idle):
        return True
    if case.message.in_period(word) or word.form in told.ours or is_deed(case, at):
        return True
    if told.verbal.search(word.form) and not told.passive.search(word.form):
        # Docking stations are stations.
        return True
    if any(cue.first <= at < cue.last for cue in case.message.cues):
        return True
    if any(named.first <= at < named.last and case.uses(named) for named in case.named):
        return True
    names = case.committed.names
    texts = case.committed.texts
    if case.uses_words(word) or is_near(word, names) or any(is_slip(word, name) for name in names):
        return True
    if any(supports(word, text) or is_code(text.casefold(), word.form) for text in texts):
        return True
    return is_called_so(case, word, case.committed.tables)


def _is_held(case: Case) -> bool:
    """Whether a condition has no word of its own, and may stand for this one: a flag, a missing value."""
    return any(
        atom.sign == "missing" or isinstance(atom.value, bool | int) or hasattr(atom.value, "year")
        for atom in case.committed.atoms
    ) or any(each.absent for each in case.committed.linkings)


def kinds_of(case: Case) -> Iterator[Objection]:
    """ "By kind of room" and "what kinds of rooms" tell a kind, and no room for itself."""
    told = case.message.vocabulary
    request = case.committed.requests[-1] if case.committed.requests else None
    at = next((at for at, word in enumerate(case.words) if word.form in told.kinds_of), None)
    if (
        request is None
        or at is None
        or at + 1 >= len(case.words)
        or case.words[at + 1].form not in told.joining
    ):
        return
    before = case.words[at - 1] if at else None
    paths = [*shown_paths(request), *request.by]
    asked = before is not None and (
        before.form in told.asks or any(c.last == at for c in case.message.does("by", "each"))
    )
    if asked and paths and not any(words_of(path.column.info.name) & column_words("kind") for path in paths):
        yield case.objection(Code.GROUP_MISSING, case.words[at].text)

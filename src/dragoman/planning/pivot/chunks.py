"""The words of a language that writes what a word does onto its end: stems, and what each of them does."""

from collections.abc import Callable, Iterator, Sequence

from dragoman.contracts.record import Record
from dragoman.planning.pivot.grammar import HeadFinal, Sheet
from dragoman.planning.pivot.words import Kind, Word

Known = Callable[[str], bool]


class Chunk(Record, frozen=True):
    """A stem and its role: of, topic, object, at, each and so on; none where nothing is written onto it."""

    word: Word
    stem: str
    role: str = ""


def chunks_of(words: Sequence[Word], sheet: Sheet, known: Known) -> Iterator[Chunk]:
    """The words without their endings. What is written onto other letters or a number is a word of its own
    only by its letters: it belongs to the word before it."""
    told = sheet.head_final or HeadFinal()
    held: Chunk | None = None
    for word in words:
        if word.kind is not Kind.WORD:
            if held is not None:
                yield held
            held = Chunk(word, word.form)
            continue
        glued = held is not None and held.word.kind is not Kind.WORD and held.word.end == word.start
        if held is not None and glued:
            held, rest = _with_ending(held, word, told)
            yield held
            held = None
            if rest is not None:
                yield rest
            continue
        if held is not None:
            yield held
            held = None
        yield _parted(word, told, known)
    if held is not None:
        yield held


def _with_ending(held: Chunk, word: Word, told: HeadFinal) -> tuple[Chunk, Chunk | None]:
    """A number or a foreign word with what is written onto it: a counter, an ending, or both."""
    form = word.form
    counter = max((each for each in told.counters if form.startswith(each)), key=len, default="")
    counts = held.word.kind is Kind.NUMBER and counter
    rest = form.removeprefix(counter) if counts else form
    if not rest:
        return held, None
    if rest in told.endings:
        return Chunk(held.word, held.stem, told.endings[rest]), None
    return held, Chunk(word, rest)


def _parted(word: Word, told: HeadFinal, known: Known) -> Chunk:
    if _is_listed(word.form, told) or known(word.form):
        return Chunk(word, word.form)
    cuts = sorted((each for each in told.endings if word.form.endswith(each)), key=len, reverse=True)
    stems = [(word.form.removesuffix(each), told.endings[each]) for each in cuts if each != word.form]
    for stem, role in stems:
        if _is_listed(stem, told) or known(stem):
            return Chunk(word, stem, role)
        # What says nothing of its own, as the ending of many does, is written before what the word does.
        for empty in (each for each, said in told.endings.items() if not said and stem.endswith(each)):
            if known(stem.removesuffix(empty)):
                return Chunk(word, stem.removesuffix(empty), role)
    stem, role = next(iter(stems), (word.form, ""))
    return Chunk(word, stem, role)


def _is_listed(form: str, told: HeadFinal) -> bool:
    return any(
        form in section
        for section in (
            told.superlative_marks,
            told.before,
            told.heads,
            told.clauses,
            told.predicates,
            told.counters,
            told.bounds,
            told.orders,
        )
    )

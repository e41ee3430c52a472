"""What a word means here: in packs, in what people taught, in comments of the schema, in documents."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.answer import Cell, EvidenceItem
from dragoman.contracts.knowledge import Passage
from dragoman.contracts.pack import Pack, Texts, Words
from dragoman.contracts.record import Record
from dragoman.contracts.taught import TaughtWord
from dragoman.contracts.vocabulary import EvidenceSource
from dragoman.documents.terms import is_small, language_of, words_of
from dragoman.locales.registry import FALLBACK

_EXACT: Final = 1.0
_FORM: Final = 0.9
"""By another form of the word."""
_HEADED: Final = 0.9
_OPENED: Final = 0.8
"""A sentence of a document begins with the word."""
_MOST: Final = 8
_CANDIDATES: Final = 10
_SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+|\n")

Keys = tuple[frozenset[str], ...]


class Definition(Record, frozen=True):
    term: str
    text: str
    kind: str
    source: EvidenceSource
    place: str
    confidence: float

    @property
    def row(self) -> tuple[Cell, ...]:
        return (self.term, self.text, self.kind, self.place, f"{self.confidence:.2f}")

    @property
    def item(self) -> EvidenceItem:
        return EvidenceItem(self.source, self.place, self.text, self.confidence)


def definitions(catalog: Catalog, term: str, code: str = "") -> list[Definition]:
    """What a term means, first as packs say it, then as people do, then as comments and documents do."""
    asked = _keys(term)
    if not asked:
        return []
    spoken = code or language_of([term])
    found = [
        *_of_packs(catalog, asked, spoken),
        *_of_taught(catalog.taught, asked),
        *_of_comments(catalog, asked),
        *_of_documents(catalog, term, asked),
    ]
    once: dict[str, Definition] = {}
    for each in found:
        once.setdefault(each.text, each)
    return sorted(once.values(), key=lambda each: -each.confidence)[:_MOST]


def _keys(phrase: str) -> Keys:
    """The words of a phrase, each by its keys; without small words, unless it has no others."""
    code = language_of([phrase])
    words = list(words_of(phrase.replace("_", " "), code))
    return tuple(frozenset(word.keys) for word in words if not is_small(word, code))


def _sameness(asked: Keys, phrase: str) -> float:
    """How surely a phrase is the term: word by word, in any form."""
    own = _keys(phrase)
    if not own or len(own) != len(asked):
        return 0.0
    if all(one == other for one, other in zip(asked, own, strict=True)):
        return _EXACT
    return _FORM if all(one & other for one, other in zip(asked, own, strict=True)) else 0.0


def _best(asked: Keys, phrases: Iterable[str]) -> float:
    return max((_sameness(asked, phrase) for phrase in phrases), default=0.0)


def _all(texts: Texts, words: Words) -> Iterator[str]:
    yield from texts.values()
    for each in words.values():
        yield from each


def _in(texts: Mapping[str, str], code: str) -> str:
    return texts.get(code) or texts.get(FALLBACK) or next(iter(texts.values()), "")


# What a pack or a person declares is a rule of the workspace; comments and documents describe.


def _of_packs(catalog: Catalog, asked: Keys, code: str) -> Iterator[Definition]:
    for pack in catalog.packs.packs:
        yield from _of_pack(pack, asked, code)


def _of_pack(pack: Pack, asked: Keys, code: str) -> Iterator[Definition]:
    for name, metric in pack.metrics.items():
        sure = _best(asked, (name.replace("-", " "), *_all(metric.title, metric.words)))
        text = _in(metric.definition, code)
        if sure and text:
            place = f"{pack.pack}/metrics/{name}"
            yield Definition(_in(metric.title, code), text, "metric", EvidenceSource.POLICY, place, sure)
    for name, verb in pack.verbs.items():
        text = _in(verb.definition, code)
        sure = _best(asked, (name.replace(".", " "), *_all(verb.title, verb.words))) if text else 0.0
        if sure:
            place = f"{pack.pack}/verbs/{name}"
            yield Definition(_in(verb.title, code), text, "verb", EvidenceSource.POLICY, place, sure)


def _of_taught(taught: Iterable[TaughtWord], asked: Keys) -> Iterator[Definition]:
    for word in taught:
        sure = _sameness(asked, word.word)
        if sure:
            said = word.said or f"{word.of}: {word.means}"
            place = f"packs/learned.yaml#{word.word}"
            yield Definition(word.word, said, "taught", EvidenceSource.POLICY, place, sure)


def _of_comments(catalog: Catalog, asked: Keys) -> Iterator[Definition]:
    if catalog.shipped:
        return
    for spec in catalog.in_order():
        schema = catalog.visible_schema(spec)
        for table in schema.tables if schema is not None else ():
            place = f"{spec.name}:{table.name}"
            if table.comment and (sure := _best(asked, (table.name,))):
                yield Definition(table.name, table.comment, "table", EvidenceSource.DOC, place, sure)
            for column in table.columns:
                if column.comment and (sure := _best(asked, (column.name, f"{table.name} {column.name}"))):
                    name, source = f"{table.name}.{column.name}", EvidenceSource.DOC
                    yield Definition(name, column.comment, "column", source, f"{place}.{column.name}", sure)


def _of_documents(catalog: Catalog, term: str, asked: Keys) -> Iterator[Definition]:
    """Passages that stand under the term as a heading, or have a sentence that begins with it: whoever
    defines a word begins with it."""
    for each in catalog.library.find(term, top=_CANDIDATES):
        passage = each.passage
        place, kind = passage.ref, "passage"
        if _sameness(asked, passage.heading.rpartition(" › ")[2]):
            yield Definition(term, passage.text, kind, passage.source, place, _HEADED)
        elif (said := _opened_by(passage, asked)) is not None:
            yield Definition(term, said, kind, passage.source, place, _OPENED)


def _opened_by(passage: Passage, asked: Keys) -> str | None:
    """The first sentence of a passage that begins with the term and goes on, and what follows it."""
    sentences = [each for each in _SENTENCE.split(passage.text) if each.strip()]
    for place, sentence in enumerate(sentences):
        own = _keys(sentence[: 40 + 20 * len(asked)])[: len(asked)]
        longer = len(_keys(sentence)) > len(asked)
        if len(own) == len(asked) and longer and all(a & b for a, b in zip(asked, own, strict=True)):
            return " ".join(sentences[place : place + 2])
    return None

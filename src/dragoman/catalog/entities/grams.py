"""Many entries on disk: looked up by the three-letter pieces of their skeletons.

A slip of the finger loses a few pieces and not the name, so no single piece has to be there. The rarest
pieces say most and cost least: they are taken first, up to a budget of places to look at, which bounds what
any text can cost. Nothing that a person writes is parsed: queries are built of terms.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate, islice
from pathlib import Path
from typing import Final
from zlib import crc32

import tantivy

from dragoman.catalog.entities.entries import Entry, entry_of, filter_value
from dragoman.catalog.entities.names import Wanted, squashed
from dragoman.catalog.entities.records import EntityRow
from dragoman.catalog.entities.rows import RowFile, RowWriter

CANDIDATES: Final = 100
BUDGET: Final = 200_000
LEAST_GRAMS: Final = 4
MOST_GRAMS: Final = 40

_ENOUGH: Final = 10
"""So many of the rarest pieces together are as telling as all of them."""
_SHORT: Final = 12
"""A skeleton up to this length may be part of very many others; its equals have a bucket of their own."""
_BUCKETS: Final = 0xFFF
_BATCH: Final = 4_000
_HEAP: Final = 100_000_000
_FILE: Final = 1 << 40
"""A place is the number of a file of rows times this, and the place in the file."""


def _schema() -> tantivy.Schema:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("key", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("exact", indexed=True)
    builder.add_text_field("grams", tokenizer_name="grams", index_option="freq")
    builder.add_text_field("filters", tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field("place", fast=True)
    return builder.build()


def _rows_file(folder: Path, number: int) -> Path:
    return folder / f"rows-{number}.bin"


def _filter_term(name: str, value: str) -> str:
    return f"{name}\0{value}"


def _bucket(bones: str) -> int:
    return crc32(squashed(bones).encode()) & _BUCKETS


def _pieces(bones: str) -> list[str]:
    padded = f" {bones} "
    return [padded[start : start + 3] for start in range(len(padded) - 2)]


def write(folder: Path, rows: Iterable[EntityRow]) -> int:
    """Write a new index into an empty folder; how many entries it has."""
    index = tantivy.Index(_schema(), path=str(folder))
    seen: set[str] = set()

    def without(writer: tantivy.IndexWriter, key: str) -> None:
        if key in seen:
            writer.delete_documents_by_term("key", key)
        seen.add(key)

    return _write(index, folder, 0, rows, without)


def change(folder: Path, rows: Iterable[EntityRow], deleted: Iterable[str]) -> int:
    """Put rows in the place of those with their keys, and take others out; how many entries there are."""
    index = tantivy.Index.open(str(folder))
    number = len(list(folder.glob("rows-*.bin")))

    def without(writer: tantivy.IndexWriter, key: str) -> None:
        writer.delete_documents_by_term("key", key)

    return _write(index, folder, number, rows, without, deleted)


def _write(
    index: tantivy.Index,
    folder: Path,
    number: int,
    rows: Iterable[EntityRow],
    without: Callable[[tantivy.IndexWriter, str], None],
    deleted: Iterable[str] = (),
) -> int:
    trigrams = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.ngram(3, 3)).build()
    index.register_tokenizer("grams", trigrams)
    writer = index.writer(heap_size=_HEAP, num_threads=1)
    for key in deleted:
        without(writer, key)
    with RowWriter(_rows_file(folder, number)) as written:
        rest = iter(rows)
        while batch := list(islice(rest, _BATCH)):
            # Fed one by one, the writer's thread falls asleep and is woken for every row: documents are
            # made first, and handed over in one go.
            documents = [(row.key, _document(row, number, written)) for row in batch]
            for key, document in documents:
                without(writer, key)
                writer.add_document(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index.searcher().num_docs


def _document(row: EntityRow, number: int, written: RowWriter) -> tantivy.Document:
    entry = entry_of(row)
    document = tantivy.Document()
    document.add_text("key", entry.key)
    for bones in entry.skeletons:
        if bones:
            if len(bones) <= _SHORT:
                document.add_unsigned("exact", _bucket(bones))
            document.add_text("grams", f" {bones} ")
    for discriminator, value in entry.discriminators.items():
        document.add_text("filters", _filter_term(discriminator, filter_value(value)))
    document.add_unsigned("place", number * _FILE + written.add(entry))
    return document


class GramIndex:
    """A written index, open for reading."""

    def __init__(self, folder: Path) -> None:
        index = tantivy.Index.open(str(folder))
        index.config_reader("manual")
        index.reload()
        self._schema = index.schema
        self._searcher = index.searcher()
        files = len(list(folder.glob("rows-*.bin")))
        self._rows = [RowFile(_rows_file(folder, number)) for number in range(files)]

    def __len__(self) -> int:
        return self._searcher.num_docs

    def entry(self, key: str) -> Entry | None:
        found = self._entries(tantivy.Query.term_query(self._schema, "key", key, "basic"), 1)
        return next(found, None)

    def candidates(self, wanted: tuple[Wanted, ...], filters: Mapping[str, str]) -> Iterator[Entry]:
        """Entries that may fit: those with these words, those that begin so, those that share most."""
        seen: set[str] = set()
        for query in self._queries(wanted):
            for entry in self._entries(self._filtered(query, filters), CANDIDATES):
                if entry.key not in seen:
                    seen.add(entry.key)
                    yield entry

    def _queries(self, wanted: tuple[Wanted, ...]) -> Iterator[tantivy.Query]:
        places: dict[str, int] = {}
        for reading in wanted:
            bones = reading.name.skeleton
            words = bones.split(" ")
            whole = {gram for word in words for gram in _pieces(word)}
            begun = {gram for word in words[:-1] for gram in _pieces(word)} or set(_pieces(bones[:-1])[:-1])
            for gram in whole | begun | set(_pieces(bones)):
                if gram not in places:
                    places[gram] = self._searcher.doc_freq("grams", gram)
            bucket = _bucket(bones) if len(bones) <= _SHORT else None
            for grams, where in ((whole, bucket), (whole, None), (begun, None)):
                if all(places[gram] for gram in grams):
                    yield self._all(sorted(grams, key=lambda gram: (places[gram], gram)), where)
        some = self._some(places)
        if some:
            yield tantivy.Query.boolean_query([(tantivy.Occur.Should, self._gram(gram)) for gram in some])

    def _all(self, grams: list[str], bucket: int | None) -> tantivy.Query:
        """Everything with the rarest of these pieces, and where a bucket is given, in this bucket."""
        required = [self._gram(gram) for gram in grams[:_ENOUGH]]
        if bucket is not None:
            required.append(tantivy.Query.term_query(self._schema, "exact", bucket, "basic"))
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, term) for term in required])

    def _some(self, places: Mapping[str, int]) -> list[str]:
        """The rarest pieces that any entry has, as many as the budget allows."""
        rarest = sorted((count, gram) for gram, count in places.items() if count)[:MOST_GRAMS]
        sums = accumulate(count for count, _ in rarest)
        return [
            gram
            for position, ((_, gram), total) in enumerate(zip(rarest, sums, strict=True))
            if position < LEAST_GRAMS or total <= BUDGET
        ]

    def _gram(self, gram: str) -> tantivy.Query:
        return tantivy.Query.term_query(self._schema, "grams", gram, "freq")

    def _filtered(self, query: tantivy.Query, filters: Mapping[str, str]) -> tantivy.Query:
        if not filters:
            return query
        required = [
            tantivy.Query.term_query(self._schema, "filters", _filter_term(name, value), "basic")
            for name, value in filters.items()
        ]
        silent = [(tantivy.Occur.Must, tantivy.Query.const_score_query(term, 0.0)) for term in required]
        return tantivy.Query.boolean_query([(tantivy.Occur.Must, query), *silent])

    def _entries(self, query: tantivy.Query, limit: int) -> Iterator[Entry]:
        hits = self._searcher.search(query, limit, count=False).hits
        if not hits:
            return
        for value in self._searcher.fast_field_values("place", [address for _, address in hits]):
            number, place = divmod(int(value or 0), _FILE)
            yield self._rows[number].entry(place)

"""Many entries on disk: looked up by the three-letter pieces of their skeletons.

A slip of the finger loses a few pieces and not the name, so no single piece has to be there. The rarest
pieces say most and cost least: they are taken first, up to a budget of places to look at, which bounds what
any text can cost. Nothing that a person writes is parsed: queries are built of terms.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, islice
from pathlib import Path
from struct import error as StructError  # noqa: N812
from typing import Final
from zlib import crc32

import msgspec
import tantivy

from dragoman.entities.entity_name import Wanted, squashed
from dragoman.entities.entries import Entry, entries_of, filter_value
from dragoman.entities.folded_names import clean
from dragoman.entities.generations import damaged
from dragoman.entities.records import EntityRow
from dragoman.entities.rows import RowFile, RowWriter

CANDIDATES: Final = 100
BUDGET: Final = 200_000
LEAST_GRAMS: Final = 4
MOST_GRAMS: Final = 40

_ENOUGH: Final = 10
"""So many of the rarest pieces together are as telling as all of them."""
_SHORT: Final = 12
"""A skeleton up to this length may be part of very many others; its equals have a bucket of their own."""
_BUCKETS: Final = 0xFFF
_BATCH: Final = 100
"""Rows are read together, which is cheaper; more of them would outlive the first rounds of the collector."""
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


def is_rows_file(name: str) -> bool:
    return Path(name).name.startswith("rows-")


def _filter_term(name: str, value: str) -> str:
    return f"{name}\0{value}"


def _bucket(bones: str) -> int:
    return crc32(squashed(bones).encode()) & _BUCKETS


def _pieces(bones: str) -> list[str]:
    padded = f" {bones} "
    return [padded[start : start + 3] for start in range(len(padded) - 2)]


def write(folder: Path, rows: Iterable[EntityRow]) -> int:
    """Write a new index into an empty folder; how many entries it has. The last row with a key counts."""
    return _write(tantivy.Index(_schema(), path=str(folder)), folder, 0, rows, (), set())


def change(folder: Path, rows: Iterable[EntityRow], deleted: Iterable[str]) -> int:
    """Put rows in the place of those with their keys, and take others out; how many entries there are."""
    number = sum(is_rows_file(path.name) for path in folder.iterdir())
    return _write(tantivy.Index.open(str(folder)), folder, number, rows, deleted, None)


def _write(
    index: tantivy.Index,
    folder: Path,
    number: int,
    rows: Iterable[EntityRow],
    deleted: Iterable[str],
    written: set[str] | None,
) -> int:
    """`written` are the keys that are in the index already; None where any may be."""
    index.register_tokenizer("grams", tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.ngram(3, 3)).build())
    writer = index.writer(heap_size=_HEAP, num_threads=1)
    for key in deleted:
        writer.delete_documents_by_term("key", key)
    with RowWriter(_rows_file(folder, number)) as file:
        rest = iter(rows)
        while batch := list(islice(rest, _BATCH)):
            documents = [_document(entry, number, file) for entry in entries_of(batch)]
            for row, document in zip(batch, documents, strict=True):
                key = row.key
                if written is None or key in written:
                    writer.delete_documents_by_term("key", key)
                else:
                    written.add(key)
                writer.add_json(document)
    writer.commit()
    writer.wait_merging_threads()
    index.reload()
    return index.searcher().num_docs


class _Document(msgspec.Struct, gc=False, omit_defaults=True):
    """An entry as the index takes it in. As JSON it is half as dear as the library's own documents."""

    key: str
    place: int
    grams: list[str] | str = ""
    exact: list[int] | None = None
    filters: list[str] | None = None


_encode: Final = msgspec.json.Encoder().encode


def _document(entry: Entry, number: int, written: RowWriter) -> str:
    document = _Document(entry.key, number * _FILE + written.add(entry))
    names = entry.skeletons
    document.grams = f" {names[0]} " if len(names) == 1 else [f" {bones} " for bones in names if bones]
    if min(map(len, names), default=0) <= _SHORT:
        document.exact = [_bucket(bones) for bones in names if len(bones) <= _SHORT]
    if entry.discriminators:
        document.filters = [
            _filter_term(clean(name), filter_value(value)) for name, value in entry.discriminators.items()
        ]
    return _encode(document).decode()


class GramIndex:
    """A written index, open for reading."""

    def __init__(self, folder: Path, row_files: int) -> None:
        self._folder = folder
        self._rows = [RowFile(_rows_file(folder, number)) for number in range(row_files)]
        index = tantivy.Index.open(str(folder))
        index.config_reader("manual")
        index.reload()
        self._schema = index.schema
        self._searcher = index.searcher()

    def __len__(self) -> int:
        return self._searcher.num_docs

    def entry(self, key: str) -> Entry | None:
        query = tantivy.Query.term_query(self._schema, "key", key, "basic")
        return next((self._entry(place) for place in self._places(query, 1)), None)

    def candidates(self, wanted: tuple[Wanted, ...], filters: Mapping[str, str]) -> Iterator[Entry]:
        """Entries that may fit: those with these words, those that begin so, those that share most."""
        seen: set[int] = set()
        for query in self._queries(wanted):
            for place in self._places(self._filtered(query, filters), CANDIDATES):
                if place not in seen:
                    seen.add(place)
                    yield self._entry(place)

    def _queries(self, wanted: tuple[Wanted, ...]) -> Iterator[tantivy.Query]:
        places: dict[str, int] = {}
        for number, reading in enumerate(wanted):
            bones = reading.name.skeleton
            words = bones.split(" ")
            whole = {gram for word in words for gram in _pieces(word)}
            begun = {gram for word in words[:-1] for gram in _pieces(word)} or set(_pieces(bones[:-1])[:-1])
            for gram in whole | begun | set(_pieces(bones)):
                if gram not in places:
                    places[gram] = self._searcher.doc_freq("grams", gram)
            required: list[tuple[set[str], int | None]] = [(whole, None)]
            if len(bones) <= _SHORT:
                required.append((whole, _bucket(bones)))
            if number == 0:
                required.append((begun, None))
            for grams, bucket in required:
                if grams and all(places[gram] for gram in grams):
                    yield self._all(sorted(grams, key=lambda gram: (places[gram], gram)), bucket)
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

    def _places(self, query: tantivy.Query, limit: int) -> list[int]:
        try:
            hits = self._searcher.search(query, limit, count=False).hits
            if not hits:
                return []
            values = self._searcher.fast_field_values("place", [address for _, address in hits])
        except ValueError as failure:
            raise damaged(self._folder, str(failure)) from failure
        except BaseException as failure:
            # A library in Rust panics when what it reads cannot be, with an exception of no public class.
            if type(failure).__name__ != "PanicException":
                raise
            raise damaged(self._folder, "what it says of itself cannot be") from failure
        return [int(value) for value in values if value is not None]

    def _entry(self, place: int) -> Entry:
        number, start = divmod(place, _FILE)
        try:
            return self._rows[number].entry(start)
        except (IndexError, StructError, msgspec.DecodeError) as failure:
            raise damaged(self._folder, f"no entry stands at {place}") from failure

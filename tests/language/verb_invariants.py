"""What must hold of reading any text at all, in verb notation or not."""

from msgspec.structs import replace

from dragoman.language.document import Document
from dragoman.language.source import Source, show
from dragoman.language.verbs.printer import print_document
from dragoman.language.verbs.verb_reader import read_verbs


def check_reading(text: str) -> Document:
    """Read the text, and hold everything that is promised of every text against what came out."""
    source = Source(text)
    document = read_verbs(source)
    _check_diagnostics(source, document)
    _check_spans(text, document)
    printed = print_document(document)
    again = read_verbs(Source(printed))
    assert again.ok, (printed, again.diagnostics)
    assert again.statements == document.statements
    assert again.comments == document.comments
    assert print_document(again) == printed
    return document


def _check_diagnostics(source: Source, document: Document) -> None:
    places = [(d.span.start, d.span.end) for d in document.diagnostics if d.span is not None]
    assert len(places) == len(document.diagnostics)
    assert places == sorted(places)
    for diagnostic, (start, end) in zip(document.diagnostics, places, strict=True):
        assert 0 <= start < end <= len(source.text)
        assert diagnostic.code
        assert diagnostic.hint
        assert diagnostic.message.isprintable()
        assert diagnostic.hint.isprintable()
    if document.diagnostics:
        assert show(source, document.diagnostics[0])


def _check_spans(text: str, document: Document) -> None:
    """Statements stand one after the other, from bracket to bracket, and each reads the same by itself."""
    assert len(document.spans) == len(document.statements)
    last = 0
    for statement, spans in zip(document.statements, document.spans, strict=True):
        start, end = spans.extent
        assert last <= start < end <= len(text)
        assert text[start] == "("
        assert text[end - 1] == ")"
        last = end
        if len(document.statements) <= 20:
            alone = read_verbs(Source(text[start:end]))
            assert alone.ok
            assert alone.statements == (replace(statement, comments=()),)

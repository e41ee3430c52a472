"""No secret may stand in a program: connections are aliases, and what they hold is resolved at run time."""

from collections.abc import Iterable, Iterator

from dragoman.contracts.program import Diagnostic, Map, Statement
from dragoman.guards.secrets import Secret, find_secrets, suspects
from dragoman.language.document import Document, Extent, StatementSpans
from dragoman.language.parameters import head_of
from dragoman.language.source import Source
from dragoman.language.texts import PlacedText, texts_in, texts_of

HINT = (
    'name a connection instead, for example "@shop", or an environment variable, for example ${SHOP_PASSWORD}'
)


def check_secrets(document: Document, source: Source) -> list[Diagnostic]:
    """The secrets in a document's values. What is found is named by its kind and never shown."""
    texts = [*texts_in(document.statements, document.spans), *_comments(document)]
    head = head_of(document.statements)
    if head is not None:
        texts.extend(declared_texts(head, document.spans[0]))
    return [
        Diagnostic("secret_in_program", message_of(secret), HINT, span=source.span(*extent))
        for extent, secret in secrets_in(texts)
    ]


def declared_texts(head: Statement, spans: StatementSpans) -> Iterator[PlacedText]:
    """The defaults and options of parameters under the names of the parameters: `password: {default: …}`."""
    for argument, places in zip(head.arguments, spans.arguments, strict=True):
        if argument.name == "params" and isinstance(argument.value, Map):
            for entry, place in zip(argument.value.entries, places.value.items, strict=True):
                if isinstance(entry.value, Map):
                    for field, where in zip(entry.value.entries, place.items, strict=True):
                        if field.key in ("default", "enum"):
                            yield from texts_of(entry.key, field.value, where)


def _comments(document: Document) -> Iterator[PlacedText]:
    """Comments have no place of their own here: the statement they belong to is named."""
    last: Extent = (0, 0)
    for statement, spans in zip(document.statements, document.spans, strict=True):
        last = spans.extent
        arguments = (text for a in statement.arguments for text in (*a.comments, a.display))
        for text in (*statement.comments, *arguments, *statement.closing):
            yield "", text, last
    for text in document.comments:
        yield "", text, last


def secrets_in(texts: Iterable[PlacedText]) -> list[tuple[Extent, Secret]]:
    placed = list(texts)
    # One look over all texts: most programs hold nothing that even resembles a secret.
    suspected = suspects([(name, text) for name, text, _ in placed])
    if not suspected:
        return []
    found: dict[Extent, Secret] = {}
    for name, text, extent in placed:
        if name in suspected:
            for secret in find_secrets(text, name)[:1]:
                # A text may stand under two names, its own and that of a parameter.
                found.setdefault(extent, secret)
    return list(found.items())


def message_of(secret: Secret) -> str:
    return f"{secret.kind} stands in the program"

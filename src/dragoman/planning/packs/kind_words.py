"""What kinds of entities are called."""

from collections.abc import Mapping

from dragoman.catalog.catalog import Catalog
from dragoman.reading.languages import Spoken
from dragoman.reading.tokens import tokens_of


def kind_words(kind: str, catalog: Catalog, spoken: Spoken) -> tuple[tuple[str, ...], ...]:
    """What a kind of entity is called."""
    words: Mapping[str, tuple[str, ...]] = catalog.kinds.get(kind, {})
    texts = [text for language in spoken.languages for text in words.get(language.code, ())]
    return tuple(tuple(token.form for token in tokens_of(text)) for text in texts)

"""An order that is about the question in hand: change the date to April. Nothing in the data is to change."""

from msgspec.structs import replace

from dragoman.locales.documents import lexicon_of
from dragoman.planning.contract import Asked
from dragoman.planning.packs.kind_words import kind_words
from dragoman.planning.packs.plain_values import Heard, heard
from dragoman.reading.change_orders import Change, Order, order_in
from dragoman.reading.reading import MentionKind, Reading
from dragoman.reading.signals import message_signals
from dragoman.reading.tokens import tokens_of


def of_slice(asked: Asked) -> Asked:
    """The message as a change of the slice in hand, where it orders nothing but another date or scope."""
    reading, root = asked.reading, asked.continuity.root
    named = reading.objects or reading.picks or reading.verbs or reading.actions or reading.extend
    said = reading.periods or reading.entities
    if root is None or named or reading.chooses_scope or not said or not reading.may_order:
        return asked
    message = heard(asked.text, reading)
    order = order_in(message.tokens, message.spoken)
    if order is None or not order.edits or order.makes_new or Change.DELETE in order.changes:
        # What is taken away is not what is asked for next.
        return asked
    if not _is_whole(order, message, asked):
        return asked
    plain = replace(reading, wants_write=False, uncovered=(), meta=None, anaphor=False)
    return replace(asked, reading=plain, own=message_signals(plain, asked.catalog.anchor))


def _is_whole(order: Order, message: Heard, asked: Asked) -> bool:
    """Whether the order, a date or a scope, and the words for them are all that is said."""
    reading: Reading = asked.reading
    known = {token.form for token in message.tokens[order.start : order.end]}
    for words in message.words:
        known |= words.small | words.between | words.into | words.before
    for kind in {asked.catalog.anchor, *(entity.kind for entity in reading.entities)}:
        known.update(form for phrase in kind_words(kind, asked.catalog, message.spoken) for form in phrase)
    for language in message.spoken.languages:
        listed = [*lexicon_of(language)["changes"]["of_slice"], *lexicon_of(language)["anaphors"]]
        known.update(token.form for word in listed for token in tokens_of(str(word)))
    refused = (MentionKind.NEGATION, MentionKind.COMPARISON, MentionKind.GROUPING, MentionKind.SORTING)
    return set(reading.uncovered) <= known and not any(reading.of_kind(kind) for kind in refused)

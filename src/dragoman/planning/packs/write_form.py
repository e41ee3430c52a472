"""The form of a write verb: what it still needs, one question at a time, until its program is whole.

Pure: a verb, what is bound of it and what a message says give the next question or the program. Whoever
needs something made (an order in a conversation, "create new" inside a resolution) fills the same form.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.pack import ArgumentKind, PackArgument
from dragoman.contracts.program import Argument, Binding, Boolean, Program, Statement, Text
from dragoman.contracts.record import Record
from dragoman.contracts.state import CandidateScope, EntityRef
from dragoman.contracts.vocabulary import Origin
from dragoman.packs.argument_columns import argument_columns
from dragoman.planning.contract import Question
from dragoman.planning.packs.argument_options import offered, plain_arguments, titles
from dragoman.planning.packs.kind_words import kind_words
from dragoman.planning.packs.plain_values import Heard, find_plain, find_titled
from dragoman.reading.lemmas import keys_of
from dragoman.reading.said_values import SaidText, beside, called, quoted, said_into
from dragoman.reading.tokens import tokens_of

MOST_OFFERED: Final = 5
"""So many of those that a name fits are offered."""


class Named(Record, frozen=True):
    """Words that name entities, where they stand, and everything that they can mean."""

    start: int
    end: int
    text: str
    refs: tuple[EntityRef, ...]


class Form(Record, frozen=True):
    """A write verb, and what is bound of it. `unclear` is an argument whose name fits several."""

    verb: CatalogVerb
    bindings: tuple[Binding, ...] = ()
    unclear: tuple[tuple[str, Named], ...] = ()
    spans: tuple[tuple[int, int], ...] = ()
    """The parts of the message that it accounts for."""
    given: tuple[tuple[int, int], ...] = ()
    """Of these the parts that give a text: a name inside one is a part of it."""
    in_hand: str = ""
    """The argument that something in hand may be meant for: a name goes to another one first."""

    def has(self, name: str) -> bool:
        return any(binding.name == name for binding in self.bindings)

    def bound(self, *bindings: Binding) -> "Form":
        """With further values; a later one takes the place of an earlier."""
        names = {binding.name for binding in bindings}
        kept = tuple(binding for binding in self.bindings if binding.name not in names)
        unclear = tuple(each for each in self.unclear if each[0] not in names)
        return replace(self, bindings=(*kept, *bindings), unclear=unclear)

    @property
    def missing(self) -> tuple[str, ...]:
        """What the verb cannot do without and nobody has said, in the order in which it declares it."""
        return tuple(
            each.name for each in self.verb.signature.arguments if each.required and not self.has(each.name)
        )

    @property
    def program(self) -> Program:
        """The program as far as it is known."""
        order = [each.name for each in self.verb.signature.arguments]
        bindings = sorted(self.bindings, key=lambda each: order.index(each.name))
        arguments = tuple(Argument(each.name, each.value, each.display) for each in bindings)
        name = self.verb.signature.name
        return (Statement(name, arguments, name.replace(".", "-")),)


def next_question(form: Form, catalog: Catalog) -> Question | None:
    """What is asked next: which of several is meant, then what is missing; None when the program is whole."""
    for name, named in form.unclear:
        kind = form.verb.spec.arguments[name].entity
        options = tuple(CandidateScope(name, ref.id, ref.name) for ref in named.refs[:MOST_OFFERED])
        missing = (name, *(each for each in form.missing if each != name))
        return Question(
            form.verb, missing, options, form.bindings, named.text, len(named.refs), ambiguous=bool(kind)
        )
    missing = form.missing
    if not missing:
        return None
    options = offered(form.verb, missing[0], catalog)
    return Question(form.verb, missing, options, form.bindings)


def filled(
    form: Form,
    message: Heard,
    named: Sequence[Named],
    catalog: Catalog,
    today: dt.date,
    *,
    order_end: int = -1,
    kind_at: tuple[int, ...] = (),
    asked: str = "",
) -> Form:
    """The form with what a message says. `order_end` is where its order ends, for what something becomes,
    and `kind_at` where it names what is made; `asked` is the argument that it answers."""
    others = [each for each in named if not _is_of_new(each, message, kind_at)]
    ends = _ends(form.verb, message, others, catalog, today)
    texts = said_texts(form, message, ends, order_end) or _beside_kind(form, message, ends, kind_at)
    spans = [(said.start, said.end) for _, said in texts]
    form = replace(form, given=tuple(spans))
    bindings = [Binding(name, Text(said.text), Origin.MESSAGE) for name, said in texts]
    form = form.bound(*bindings)
    names = [name for name in plain_arguments(form.verb) if not form.has(name) or name == asked]
    # What stands behind the word for it is that, whatever it is called besides.
    titled = find_titled(form.verb, names, message.without(spans), catalog, today)
    spans += [(each.start, each.end) for each in titled]
    free = message.without(spans)
    form = _with_entities(form, free, named)
    taken = [(each.start, each.end) for each in named if free.is_free(each.start, each.end)]
    left = [name for name in names if name not in {each.name for each in titled}]
    said = (*titled, *find_plain(form.verb, left, free.without(taken), catalog, today, asked=asked))
    form = form.bound(*(Binding(each.name, each.value, Origin.MESSAGE) for each in said))
    return replace(form, spans=(*message.taken, *spans, *taken, *((each.start, each.end) for each in said)))


class _Ends(Record, frozen=True):
    """Where a name that is given may end: before a part that is another argument's, where a small word or a
    word for that argument leads to it."""

    parts: tuple[tuple[int, int], ...]
    leading: frozenset[str]
    named: tuple[str, ...]
    """The texts that name something."""


def _is_of_new(named: Named, message: Heard, kind_at: tuple[int, ...]) -> bool:
    """Whether words that others are called by too belong to the name of what is made: they stand beside the
    word for its kind, and are nobody's whole name."""
    if not kind_at:
        return False
    kind = message.tokens[kind_at[-1]]
    behind = message.text[kind.end : named.start].isspace() if named.start > kind.end else False
    inside = [token.form for token in message.tokens if named.start <= token.start < named.end]
    whole = any(inside == [token.form for token in tokens_of(ref.name)] for ref in named.refs)
    return (behind or named.start <= kind.start < named.end) and not whole


def _ends(
    verb: CatalogVerb, message: Heard, named: Sequence[Named], catalog: Catalog, today: dt.date
) -> _Ends:
    own = naming_argument(verb)
    plain = find_plain(verb, [n for n in plain_arguments(verb) if n != own], message, catalog, today)
    spans = [*((each.start, each.end) for each in named), *((each.start, each.end) for each in plain)]
    kinds = {
        form
        for argument in verb.spec.arguments.values()
        if argument.entity
        for phrase in kind_words(argument.entity, catalog, message.spoken)
        for form in phrase
    }
    said = {
        token.form for token in message.tokens if not kinds.isdisjoint(keys_of(token.form, message.spoken))
    }
    small = (words.ends for words in message.words if not words.glued)
    leading = _title_words(verb, message.language).union(said, *small)
    return _Ends((*message.taken, *spans), leading, tuple(each.text for each in named))


def said_texts(
    form: Form, message: Heard, ends: _Ends, order_end: int = -1
) -> tuple[tuple[str, SaidText], ...]:
    """The texts that a message gives, each with its argument: in quotes, called so, or what it becomes."""
    name = naming_argument(form.verb)
    if not name:
        return ()
    parts = ends.parts
    becomes = order_end >= 0 and bool(form.verb.spec.object)
    # What something becomes comes first, where a word says so: change the name of this to that. Where an
    # ending does, the word before it may be a part of what is named.
    for words in message.words if becomes else ():
        said = None if words.glued else said_into(message.text, message.tokens, order_end - 1, words, parts)
        if said is not None:
            return ((name, said),)
    for words in message.words:
        said = called(message.text, message.tokens, words, parts, ends.leading)
        if said is not None:
            return ((name, said),)
    marks = [each for each in quoted(message.text) if each.text not in ends.named]
    if len(marks) == 1:
        return ((name, marks[0]),)
    for words in message.words if becomes else ():
        said = said_into(message.text, message.tokens, order_end - 1, words, parts)
        if said is not None:
            return ((name, said),)
    return ()


def _beside_kind(
    form: Form, message: Heard, ends: _Ends, kind_at: tuple[int, ...]
) -> tuple[tuple[str, SaidText], ...]:
    """A name that nobody knows yet, next to the word for what is made: create a fund Orion."""
    name = naming_argument(form.verb)
    if not name or not kind_at or form.verb.spec.object:
        return ()
    for words in message.words:
        said = beside(message.text, message.tokens, kind_at[-1], words, ends.parts, ends.leading)
        if said is not None and _is_new(said, message):
            return ((name, said),)
    return ()


def _is_new(said: SaidText, message: Heard) -> bool:
    """Whether a text can be a name: a word of it is known to nobody, or it is written as one."""
    inside = [token for token in message.tokens if said.start <= token.start < said.end]
    first = message.text[inside[0].start] if inside else ""
    return first.isupper() or first.isdigit() or any(token.form in message.unknown for token in inside)


def _title_words(verb: CatalogVerb, language: str) -> frozenset[str]:
    """The words that other arguments are called by: one of them before a value ends a name."""
    own = naming_argument(verb)
    named = [titles(n, a, language) for n, a in verb.spec.arguments.items() if n != own]
    return frozenset(form for many in named for title in many for form in title)


def naming_argument(verb: CatalogVerb) -> str:
    """The text argument that says what something is called; of a verb without one, its only text."""
    texts = [name for name, each in plain_arguments(verb).items() if _is_open_text(each)]
    columns = argument_columns(verb.spec, verb.pack.dialect)
    for entity in verb.pack.entities.values():
        for name in texts:
            place = columns.get(name)
            if place is not None and place.column == entity.display and place.table in verb.spec.writes:
                return name
    required = [name for name in texts if verb.spec.arguments[name].required]
    return required[0] if len(required) == 1 else ""


def answered(form: Form, name: str, text: str, affirm: bool | None) -> Form | None:
    """The form with an open answer taken as it was written; None where the argument takes no open answer."""
    argument = form.verb.spec.arguments.get(name)
    if argument is None or argument.entity:
        return None
    if argument.kind is ArgumentKind.BOOLEAN:
        return None if affirm is None else form.bound(Binding(name, Boolean(affirm), Origin.MESSAGE))
    if not _is_open_text(argument):
        return None
    marks = [each for each in quoted(text.strip()) if each.end - each.start == len(text.strip())]
    said = marks[0].text if marks else text.strip(" \t\n.,;:!?")
    return form.bound(Binding(name, Text(said), Origin.MESSAGE)) if said else None


def _is_open_text(argument: PackArgument) -> bool:
    return argument.kind is ArgumentKind.TEXT and not argument.options and not argument.entity


def _with_entities(form: Form, message: Heard, named: Sequence[Named]) -> Form:
    """Each entity in the argument that takes its kind, in the order in which they were named."""
    unclear = dict(form.unclear)
    free = [each for each in named if message.is_free(each.start, each.end)]
    arguments = form.verb.spec.arguments.items()
    for name, argument in sorted(arguments, key=lambda each: each[0] == form.in_hand):
        if not argument.entity or form.has(name):
            continue
        place = next((each for each in free if any(r.kind == argument.entity for r in each.refs)), None)
        if place is None:
            continue
        free.remove(place)
        refs = tuple(ref for ref in place.refs if ref.kind == argument.entity)
        if len(refs) == 1:
            form = form.bound(Binding(name, Text(refs[0].id), Origin.MESSAGE, refs[0].name))
            unclear.pop(name, None)
        else:
            unclear[name] = Named(place.start, place.end, place.text, refs)
    return replace(form, unclear=tuple(unclear.items()))

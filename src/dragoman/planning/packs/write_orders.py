"""What an order to change data means here: which write verb, of which object, and whether it is one."""

from collections.abc import Sequence

from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.program import Binding, Text
from dragoman.contracts.state import EntityRef
from dragoman.contracts.vocabulary import Origin, Prior, Signal
from dragoman.locales.documents import lexicon_of
from dragoman.planning.contract import Asked, Refusal
from dragoman.planning.packs.named_entities import named_in
from dragoman.planning.packs.object_request import picked_rows, rows_as_objects
from dragoman.planning.packs.plain_values import Heard, heard
from dragoman.planning.packs.write_form import Form, Named
from dragoman.planning.packs.write_verbs import Ordered, change_of, ordered_verbs
from dragoman.reading.change_orders import Change, Order
from dragoman.reading.reading import MentionKind
from dragoman.reading.said_values import called, quoted
from dragoman.reading.tokens import tokens_of
from dragoman.session.carryover import ORIGINS
from dragoman.session.routing import route

_OPENS = (Signal.REQUEST, Signal.OPENS_ROOT)


def fitting_verbs(order: Order, message: Heard, names: Sequence[Named], asked: Asked) -> list[Ordered]:
    """The write verbs that are meant: those that most speaks for, of what is in hand or named."""
    given = [(each.start, each.end) for each in quoted(message.text)]
    parts = [(each.start, each.end) for each in names]
    for words in message.words:
        name = called(message.text, message.tokens, words, parts)
        # The word that leads to a name may be a word of the verb: change the name.
        given += [(message.text.find(name.text, name.start), name.end)] if name is not None else []
    free = [
        at
        for at, token in enumerate(message.tokens)
        if not any(start <= token.start < end for start, end in given)
    ]
    selected = asked.continuity.selected_object
    kinds = {ref.kind for each in names for ref in each.refs}
    pointed = {selected.focus_object_kind} if selected is not None and points(asked) else set[str]()
    if asked.reading.picks:
        pointed = {ref.kind for ref in rows_as_objects(asked.continuity.root_answer, asked.catalog)}
    found = ordered_verbs(order, message.tokens, free, message.spoken, asked.catalog, pointed or kinds)
    if pointed:
        # A pronoun means what is selected: a verb for another kind of thing is not meant.
        fits = kinds | pointed
        found = tuple(each for each in found if not each.verb.spec.object or each.verb.spec.object in fits)
    best = [each for each in found if each.weight == found[0].weight]
    if len(best) > 1 and all(change_of(each.verb) is Change.CREATE and each.words for each in best):
        # What is made is named first: a fund for the client.
        first = min(min(each.words) for each in best)
        best = [each for each in best if min(each.words) == first]
    if len(best) > 1:
        rows = {ref.kind for ref in rows_as_objects(asked.continuity.root_answer, asked.catalog)}
        near = [kinds, {selected.focus_object_kind} if selected is not None else set[str](), rows]
        for known in near:
            of_kind = [each for each in best if each.verb.spec.object in known]
            if of_kind:
                return of_kind
    return best


def points(asked: Asked) -> bool:
    """Whether a word points at what is in hand, be it a part of the order: change its name."""
    if asked.reading.anaphor:
        return True
    message = heard(asked.text, asked.reading)
    pronouns = {
        token.form
        for language in message.spoken.languages
        for word in lexicon_of(language)["anaphors"]
        for token in tokens_of(str(word))
    }
    return any(token.form in pronouns for token in message.tokens)


def object_in_hand(verb: CatalogVerb, asked: Asked) -> str:
    """The argument that what is selected is meant for, where it may be meant."""
    focus = _in_hand(asked)
    if focus is None or focus.kind != verb.spec.object:
        return ""
    return verb.takes.get(verb.spec.object, "")


def _in_hand(asked: Asked) -> EntityRef | None:
    """The object that is selected, or the only row of the result."""
    selected, answer = asked.continuity.selected_object, asked.continuity.root_answer
    if selected is not None:
        return selected.focus_object_ref
    rows = rows_as_objects(answer, asked.catalog) if answer is not None and answer.row_count == 1 else []
    return rows[0] if len(rows) == 1 else None


def is_wish(order: Order, asked: Asked) -> bool:
    """Whether an order that no verb carries out is one all the same. Over a slice in hand, words that add or
    take away may be about the question."""
    if order.of_named and _is_before_name(order, asked):
        return True
    if order.of_object and order.changes == {Change.OTHER} and not order.edits:
        # "Refund it", "sell it": the same words may ask about an answer or for a figure, but not as an order.
        return True
    about_answer = asked.reading.meta is not None or asked.reading.recap
    if about_answer or _is_request(order, asked):
        return False
    held = bool(asked.continuity.base or asked.continuity.in_hand)
    return (order.sure and not (order.edits and held)) or _sets(order, asked, held=held)


def _is_before_name(order: Order, asked: Asked) -> bool:
    tokens = heard(asked.text, asked.reading).tokens
    following = tokens[order.end].start if order.end < len(tokens) else -1
    return any(each.start <= following < each.end for each in named_in(asked.reading, asked.catalog))


def _sets(order: Order, asked: Asked, *, held: bool) -> bool:
    """Whether something is to become something else: move Ann to Paris. With a slice in hand that may be
    said of the question, unless it is one row that is spoken of: the status of order 2."""
    message = heard(asked.text, asked.reading)
    for words in message.words if Change.CHANGE in order.changes else ():
        forms = [token.form for token in message.tokens[order.end :]]
        into = next((at for at, form in enumerate(forms) if form in words.into), 0)
        if not into or forms[0] in words.ends:
            continue
        of_row = any(form.isdigit() or form in words.owns for form in forms[:into])
        named = any(mark in asked.text for mark in words.possessives)
        if not held or of_row or named:
            return True
    return False


def _is_request(order: Order, asked: Asked) -> bool:
    """Whether the words of an order are those of something that can be looked up."""
    kinds = (MentionKind.VERB, MentionKind.ACTION, MentionKind.SCOPE_CHOICE, MentionKind.WIDEN)
    tokens = heard(asked.text, asked.reading).tokens
    start, end = tokens[order.start].start, tokens[order.end - 1].end
    return any(m.start < end and start < m.end for kind in kinds for m in asked.reading.of_kind(kind))


def with_object(form: Form, asked: Asked) -> tuple[Form, tuple[Signal, ...]]:
    """The form with what is in hand, where that is meant, and what the message is to the session."""
    reading, continuity, spec = asked.reading, asked.continuity, form.verb.spec
    focus = _in_hand(asked)
    said = {b.name for b in form.bindings} | {name for name, _ in form.unclear}
    argument = form.verb.takes.get(spec.object or (focus.kind if focus is not None else ""), "")
    if not spec.object:
        pointed = points(asked) and focus is not None and argument and argument not in said
        return _carried(form, argument, focus, (Signal.ANAPHOR,), asked) if pointed else (form, _OPENS)
    if argument in said:
        drills = {Prior.ROOT, Prior.RESULT_SET} <= asked.continuity.priors
        return form, (Signal.OBJECT_NAMED,) if drills else _OPENS
    signals = (Signal.ANAPHOR, Signal.ACTION) if points(asked) else (Signal.ACTION,)
    if reading.picks and Prior.RESULT_SET in asked.continuity.priors:
        return _picked(form, argument, asked)
    if focus is not None and focus.kind == spec.object:
        return _carried(form, argument, focus, signals, asked)
    rows = [ref for ref in rows_as_objects(continuity.root_answer, asked.catalog) if ref.kind == spec.object]
    return form, signals if rows else _OPENS


def _carried(
    form: Form, argument: str, focus: EntityRef | None, signals: tuple[Signal, ...], asked: Asked
) -> tuple[Form, tuple[Signal, ...]]:
    allowed = ORIGINS[route(signals, asked.continuity).carryover]
    if focus is None or Origin.OBJECT_FRAME not in allowed:
        return form, signals
    return form.bound(Binding(argument, Text(focus.id), Origin.OBJECT_FRAME, focus.name)), signals


def _picked(form: Form, argument: str, asked: Asked) -> tuple[Form, tuple[Signal, ...]]:
    signals = (Signal.OBJECT_PICKED,)
    found = picked_rows(asked.reading.picks[0], asked.continuity, asked.catalog)
    refs = () if isinstance(found, Refusal) else tuple(r for r in found if r.kind == form.verb.spec.object)
    if len(refs) != 1:
        return form, signals
    return form.bound(Binding(argument, Text(refs[0].id), Origin.MESSAGE, refs[0].name)), signals

"""What a message says to the form of a write verb that waits: an answer, a correction, or nothing."""

from collections.abc import Sequence, Set

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.pack import ArgumentKind
from dragoman.contracts.program import Binding, Date, Text
from dragoman.contracts.program import Sequence as Listed
from dragoman.contracts.state import ClarificationState
from dragoman.contracts.vocabulary import ClarificationKind, Origin, Signal
from dragoman.planning.contract import Asked
from dragoman.planning.packs.argument_options import NO, YES, titles
from dragoman.planning.packs.kind_words import kind_words
from dragoman.planning.packs.named_entities import named_in
from dragoman.planning.packs.plain_values import Heard, heard
from dragoman.planning.packs.relation import relate
from dragoman.planning.packs.write_form import Form, Named, answered, filled, naming_argument
from dragoman.reading.lemmas import keys_of
from dragoman.reading.said_values import called
from dragoman.reading.tokens import tokens_of

_LONGEST_ANSWER = 4
"""So many words an answer that fits nothing may have to be asked for again."""

_LONGEST_CORRECTION = 10
"""So many words may say what is to be otherwise in a program that waits for a yes."""


def pending_form(pending: ClarificationState | None, catalog: Catalog) -> Form | None:
    """The form that waits for an answer; None where nothing waits, or something else."""
    verb = catalog.changes.get(pending.resume_target_route) if pending is not None else None
    if pending is None or verb is None or pending.clarification_kind is ClarificationKind.CONFIRM_RUN:
        return None
    held = tuple(
        Binding(each.name, each.value, Origin.CLARIFICATION, each.display)
        for each in pending.resume_target_frame.bindings
    )
    return Form(verb, held)


def takes_text(form: Form, name: str, text: str) -> bool:
    """Whether any text answers the question for an argument."""
    return answered(form, name, text, None) is not None


def answer_to(form: Form, pending: ClarificationState, message: Heard, asked: Asked) -> Form | None:
    """The form with what a message answers; None where it answers nothing of it."""
    name = pending.missing_anchors[0]
    argument = form.verb.spec.arguments[name]
    chosen = _chosen(asked, pending)
    if chosen is not None:
        return form.bound(chosen)
    if takes_text(form, name, asked.text) and asked.reading.affirm is None:
        return _with_text(form, name, message, asked)
    names = named_in(asked.reading, asked.catalog, argument.entity, asked.text)
    after = filled(form, message, names, asked.catalog, asked.today, asked=name)
    if not _gives(after, name) and (asked.reading.affirm is None or argument.kind is ArgumentKind.BOOLEAN):
        after = answered(after, name, asked.text, asked.reading.affirm) or after
    return after if _gives(after, name) or len(after.bindings) > len(form.bindings) else None


def gives_up(form: Form, pending: ClarificationState, asked: Asked) -> bool:
    """Whether a message is a no to the whole form, and no value of it."""
    argument = form.verb.spec.arguments[pending.missing_anchors[0]]
    return asked.reading.affirm is False and argument.kind is not ArgumentKind.BOOLEAN


def corrected(message: Heard, asked: Asked) -> Form | None:
    """The program that waits for a yes, with what the message says otherwise; None where it says nothing of
    it, or more."""
    reading, program = asked.reading, asked.continuity.program
    verb = asked.catalog.changes.get(program[0].verb) if len(program) == 1 else None
    if verb is None or len(message.tokens) > _LONGEST_CORRECTION or is_other_question(asked, text=False):
        return None
    names = named_in(reading, asked.catalog)
    said = filled(Form(verb), message, names, asked.catalog, asked.today)
    kinds = {argument.entity for argument in verb.spec.arguments.values()}
    others = [each for each in names if not any(ref.kind in kinds for ref in each.refs)]
    free = [each for each in others if message.without(said.spans).is_free(each.start, each.end)]
    if not (said.bindings or said.unclear) or free or left_over(said, asked):
        return None
    held = tuple(Binding(a.name, a.value, Origin.CLARIFICATION, a.display) for a in program[0].arguments)
    return replace(Form(verb, held).bound(*said.bindings), unclear=said.unclear)


def is_about_else(message: Heard, asked: Asked) -> bool:
    """Whether a message that answers nothing is about something else: it names what can be looked up, or is
    too long for a slip."""
    reading = asked.reading
    named = reading.verbs or reading.actions or reading.objects or reading.entities or reading.periods
    return bool(named) or len(message.tokens) > _LONGEST_ANSWER or "?" in asked.text


def _gives(form: Form, name: str) -> bool:
    return form.has(name) or any(each == name for each, _ in form.unclear)


def _with_text(form: Form, name: str, message: Heard, asked: Asked) -> Form:
    """An open answer: what it says something is called, or all of it."""
    for words in message.words:
        said = called(message.text, message.tokens, words, ())
        if said is not None and name == naming_argument(form.verb):
            return form.bound(Binding(name, Text(said.text), Origin.MESSAGE))
    return answered(form, name, asked.text, None) or form


def is_other_question(asked: Asked, *, text: bool) -> bool:
    """Whether the message is a question of its own, or about an answer: then the form is not meant."""
    reading = asked.reading
    if reading.meta is not None or reading.recap or reading.extend is not None:
        return True
    signals = relate(reading, asked.continuity, asked.catalog, asked.today, asked.in_context, asked.own)
    if Signal.SELF_CONTAINED in signals or (text and reading.asks):
        return True
    words = len(heard(asked.text, reading).tokens)
    return bool(reading.verbs) and not reading.uncovered and (not text or words > 1)


def _chosen(asked: Asked, pending: ClarificationState) -> Binding | None:
    """One of the answers that were offered: by its place, its number, or word for word."""
    offered, text = pending.candidate_scopes, asked.text.strip(" .,;:!?\"'“”«»").casefold()
    name = pending.missing_anchors[0]
    picks = asked.reading.picks if not asked.reading.uncovered else ()
    place = 0
    if text.isdecimal():
        place = int(text)
    elif len(picks) == 1 and picks[0].largest is None:
        place = picks[0].place if picks[0].place > 0 else len(offered) + 1 + picks[0].place
    found = offered[place - 1 : place] if 0 < place <= len(offered) else ()
    same = [each for each in offered if text in (each.label.casefold(), each.key.casefold())]
    if not found and len(same) == 1:
        found = tuple(same)
    verb = asked.catalog.changes[pending.resume_target_route]
    argument = verb.spec.arguments.get(name)
    if not found or argument is None:
        return None
    shown = found[0].label if argument.entity else ""
    if {each.key for each in offered} == {YES, NO}:
        return None
    return Binding(name, Text(found[0].key), Origin.MESSAGE, shown)


def not_carried_out(form: Form, message: Heard, names: Sequence[Named], asked: Asked) -> tuple[str, ...]:
    """What an order says that its program would not do: a second name, a day, "except", "if". Of a write
    nothing is left out silently."""
    keys = {each.value.value for each in form.bindings if isinstance(each.value, Text)}
    unclear = {(named.start, named.end) for _, named in form.unclear}
    kinds = {
        phrase
        for kind in asked.catalog.packs.entities
        for phrase in kind_words(kind, asked.catalog, message.spoken)
    }
    titled = {
        word
        for name, argument in form.verb.spec.arguments.items()
        for title in titles(name, argument, asked.reading.language)
        for word in title
    }
    strays = []
    for each in names:
        forms = tuple(token.form for token in tokens_of(each.text))
        # Words for a kind of thing or for an argument look like parts of names.
        of_form = forms in kinds or titled.issuperset(forms)
        bound = (each.start, each.end) in unclear or not keys.isdisjoint(ref.id for ref in each.refs)
        if not of_form and not bound and not _is_given(each, form, message, kinds):
            strays.append(each.text)
    free = message.without(form.spans)
    limits = frozenset().union(*(words.limits for words in message.words))
    said = [
        asked.text[each.start : each.end]
        for each in message.tokens
        if each.form in limits and free.is_free(each.start, each.end)
    ]
    dated = any(isinstance(each.value, Date | Listed) for each in form.bindings)
    days = [each.text for each in message.periods] if not dated else []
    inside = [text for text in strays if not any(text in value for value in keys)]
    return tuple(dict.fromkeys((*inside, *said, *days)))


def _is_given(named: Named, form: Form, message: Heard, kinds: Set[tuple[str, ...]]) -> bool:
    """Whether what looks like the name of something is a part of the one that is given: a new client may
    share a word with others. A word for the kind before it is no part of either."""
    of_kinds = {word for phrase in kinds for word in phrase}
    inside = [
        token
        for token in message.tokens
        if named.start <= token.start < named.end and of_kinds.isdisjoint(keys_of(token.form, message.spoken))
    ]
    return bool(inside) and all(any(a <= t.start < b for a, b in form.given) for t in inside)


def left_over(form: Form, asked: Asked) -> tuple[str, ...]:
    """The words of an order that nothing accounts for."""
    message = heard(asked.text, asked.reading)
    known = {
        token.form for token in message.tokens if any(start <= token.start < end for start, end in form.spans)
    }
    for words in message.words:
        known |= words.ends | words.between | words.into | words.before
    for name, argument in form.verb.spec.arguments.items():
        phrases = [*titles(name, argument, asked.reading.language)]
        phrases += kind_words(argument.entity, asked.catalog, message.spoken) if argument.entity else ()
        known.update(form for phrase in phrases for form in phrase)
    dated = {each.text for each in message.periods if any(a <= each.start < b for a, b in form.spans)}
    left = [word for word in asked.reading.uncovered if word not in dated]
    return tuple(word for word in left if known.isdisjoint(keys_of(word, message.spoken)))

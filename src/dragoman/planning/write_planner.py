"""The planner of changes: an order to change data becomes the form of a write verb, or is refused as such.

It stands before the planners that read: a wish to change something is never answered by looking something
up. What it proposes only ever asks, for what is missing and then for a yes.
"""

from collections.abc import Sequence

from dragoman.contracts.state import CandidateScope, ClarificationState
from dragoman.contracts.vocabulary import ClarificationKind, Prior, Signal
from dragoman.language.edits import difference
from dragoman.planning.contract import CERTAIN, Asked, Candidate, PlannerName, Proposal, Question, Refusal
from dragoman.planning.packs.named_entities import is_word_of, named_in
from dragoman.planning.packs.object_request import rows_as_objects
from dragoman.planning.packs.plain_values import Heard, heard
from dragoman.planning.packs.write_answers import (
    answer_to,
    corrected,
    gives_up,
    is_about_else,
    is_other_question,
    left_over,
    not_carried_out,
    pending_form,
    takes_text,
)
from dragoman.planning.packs.write_form import MOST_OFFERED, Form, Named, filled, next_question
from dragoman.planning.packs.write_orders import fitting_verbs, is_wish, object_in_hand, with_object
from dragoman.planning.packs.write_verbs import heads
from dragoman.reading.change_orders import Order, order_in

_ENOUGH = 2
"""So much speaks for a verb at least, while another form waits for an answer."""

_ENOUGH_FOR_TEXT = 5
"""So much where the answer may be any text: a phrase of the pack, word for word."""

_ANSWERS = (Signal.FITS_CLARIFICATION,)


class WritePlanner:
    """Makes the program of a write verb out of an order, and of the answers to what it lacks."""

    name = PlannerName.WRITES

    def propose(self, asked: Asked) -> Proposal | None:
        reading, pending = asked.reading, asked.continuity.clarification
        if reading.phrase is not None or asked.written is not None:
            return None
        if pending is None and not reading.may_order:
            return None
        waits = pending is not None and pending.clarification_kind is ClarificationKind.CONFIRM_RUN
        if waits and reading.affirm is not None:
            return None
        message = heard(asked.text, reading)
        order = order_in(message.tokens, message.spoken, heads(asked.catalog, message.spoken))
        # What an open reference means is asked and answered in its resolution.
        resolving = asked.continuity.resolving is not None
        form = None if resolving else pending_form(pending, asked.catalog)
        if form is not None and pending is not None:
            return _answered(self.name, form, pending, message, order, asked)
        otherwise = _otherwise(pending, message, order, asked) if waits and pending is not None else None
        if otherwise is not None:
            return _proposal(self.name, otherwise, _ANSWERS, asked)
        return None if order is None else _ordered(self.name, order, message, asked)


def _otherwise(pending: ClarificationState, message: Heard, order: Order | None, asked: Asked) -> Form | None:
    """What waits for a yes, as the message wants it instead; None where it is about something else."""
    names = named_in(asked.reading, asked.catalog)
    fitting = fitting_verbs(order, message, names, asked) if order is not None else []
    again = any(each.verb.signature.name == pending.resume_target_route for each in fitting)
    free = order is None or order.edits or not fitting
    return corrected(message, asked) if free and not again else None


def _ordered(planner: str, order: Order, message: Heard, asked: Asked) -> Proposal | None:
    names = named_in(asked.reading, asked.catalog)
    fitting = fitting_verbs(order, message, names, asked)
    if len(fitting) > 1:
        titles = tuple(each.verb.title(asked.reading.language) for each in fitting)
        return _refusal(planner, Refusal("which_change", titles))
    if not fitting:
        return _refusal(planner, Refusal("write_not_supported")) if is_wish(order, asked) else None
    words = [message.tokens[at] for at in (*fitting[0].words, *range(order.start, order.end))]
    taken = [(token.start, token.end) for token in words]
    inside = [each for each in names if not is_word_of(each, taken)]
    form = filled(
        Form(fitting[0].verb, in_hand=object_in_hand(fitting[0].verb, asked)),
        message.without(_of_verb(taken, inside)),
        inside,
        asked.catalog,
        asked.today,
        order_end=order.end,
        kind_at=fitting[0].words,
    )
    if (
        not form.bindings
        and not form.unclear
        and asked.reading.periods
        and Prior.ROOT in asked.continuity.priors
    ):
        # Nothing of it is for the verb, and a date is said: it is a question about another date.
        return None
    unheard = not_carried_out(form, message, inside, asked)
    if unheard:
        return _refusal(planner, Refusal("uncovered_words", unheard))
    form, signals = with_object(form, asked)
    return _proposal(planner, form, signals, asked)


def _answered(
    planner: str,
    form: Form,
    pending: ClarificationState,
    message: Heard,
    order: Order | None,
    asked: Asked,
) -> Proposal | None:
    """The form that waits, with the answer; another order, or a question of its own, comes before it."""
    name = pending.missing_anchors[0]
    text = takes_text(form, name, asked.text)
    if order is not None and not (text and order.makes_new):
        fitting = fitting_verbs(order, message, named_in(asked.reading, asked.catalog), asked)
        enough = _ENOUGH if order.sure or not text else _ENOUGH_FOR_TEXT
        if fitting and fitting[0].weight >= enough:
            return _ordered(planner, order, message, asked)
    if name not in form.verb.spec.arguments or is_other_question(asked, text=text):
        return None
    if gives_up(form, pending, asked):
        return Proposal(planner, _ANSWERS, CERTAIN)
    after = answer_to(form, pending, message, asked)
    if after is not None:
        return _proposal(planner, after, _ANSWERS, asked)
    if order is not None and is_wish(order, asked):
        return _ordered(planner, order, message, asked)
    if is_about_else(message, asked):
        return None
    # The same question again, with the answers that were offered.
    asks = Question(form.verb, pending.missing_anchors, pending.candidate_scopes, form.bindings)
    return Proposal(planner, _ANSWERS, CERTAIN, asks=asks)


def _proposal(planner: str, form: Form, signals: tuple[Signal, ...], asked: Asked) -> Proposal:
    question = next_question(form, asked.catalog)
    if question is not None:
        return Proposal(planner, signals, CERTAIN, asks=_among_rows(question, asked))
    program = form.program
    candidate = Candidate(
        program,
        difference(asked.continuity.base, program),
        CERTAIN,
        uncovered=left_over(form, asked) if signals != _ANSWERS else (),
        bindings=form.bindings,
        writes=True,
    )
    return Proposal(planner, signals, CERTAIN, (candidate,))


def _among_rows(question: Question, asked: Asked) -> Question:
    """The question for an object, over the rows in hand where they are few."""
    argument = question.verb.spec.arguments.get(question.missing[0])
    if question.candidates or argument is None or not argument.entity:
        return question
    rows = rows_as_objects(asked.continuity.root_answer, asked.catalog)
    refs = [ref for ref in rows if ref.kind == argument.entity]
    if not refs or len(refs) > MOST_OFFERED:
        return question
    options = tuple(CandidateScope(question.missing[0], ref.id, ref.name) for ref in refs)
    return Question(question.verb, question.missing, options, question.bindings)


def _refusal(planner: str, refusal: Refusal) -> Proposal:
    return Proposal(planner, (Signal.WRITE_REQUEST,), CERTAIN, refuses=refusal)


def _of_verb(taken: Sequence[tuple[int, int]], names: Sequence[Named]) -> list[tuple[int, int]]:
    return [span for span in taken if not any(n.start <= span[0] < n.end for n in names)]

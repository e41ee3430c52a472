"""The planner over packs: what a message asks of the business verbs, and of the conversation itself."""

from msgspec.structs import replace

from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.program import Argument, Program, Statement
from dragoman.contracts.state import READING
from dragoman.contracts.vocabulary import ClarificationKind, Signal, TransitionClass
from dragoman.language.edits import difference
from dragoman.planning.contract import (
    CERTAIN,
    HARDLY,
    LIKELY,
    POSSIBLE,
    UNKNOWN,
    Asked,
    Candidate,
    Options,
    PlannerName,
    Proposal,
    Question,
    Refusal,
    Request,
)
from dragoman.planning.knowledge.texts import has_texts
from dragoman.planning.packs.left_out import without_unknown
from dragoman.planning.packs.object_request import make_object_request
from dragoman.planning.packs.opened_object import opens_object
from dragoman.planning.packs.plain_requests import plain_said, starts_anew, with_plain, with_signals
from dragoman.planning.packs.relation import relate
from dragoman.planning.packs.root_request import OF_TABLE, make_request
from dragoman.planning.packs.slice_edits import of_slice
from dragoman.reading.cues import asks_figure, says_whole
from dragoman.reading.reading import Reading
from dragoman.reading.signals import message_signals
from dragoman.session.continuity import Continuity
from dragoman.session.routing import Routing, route

T = TransitionClass

_OF_ROOT = frozenset({T.T1, T.T2, T.T6, T.T7})
_OF_OBJECT = frozenset({T.T3, T.T4, T.T5})

_SETTLED = frozenset(
    {
        Signal.ESCAPE_CLEAR,
        Signal.ESCAPE_CANCEL,
        Signal.ESCAPE_UNDO,
        Signal.ESCAPE_HELP,
        Signal.ESCAPE_SKIP,
        Signal.ESCAPE_CREATE,
        Signal.ESCAPE_SEARCH,
        Signal.ESCAPE_NONE,
        Signal.RUN,
        Signal.EXTEND,
        Signal.SCOPE_CHOICE,
    }
)
"""What a message is, whatever the tables are called."""

_GIVING_WAY = frozenset(
    {
        "unknown_request",
        OF_TABLE,
        "no_object",
        "rows_are_no_objects",
        "object_not_in_domain",
        "action_not_supported",
    }
)
"""Refusals that say the message is not for the pack. Any other is about a request that the pack understood
and cannot answer: what the tables make of it would answer something else."""

_TALK = frozenset({Signal.CHAT, Signal.DATA_SCOPE, Signal.WRITE_REQUEST})
_OF_SOMETHING_ELSE = 2
_OFFERED = LIKELY - 0.01
_UNSURE = (POSSIBLE + LIKELY) / 2
"""Every word but one or two is accounted for: more than a refusal, less than what the tables are sure of.
With a scope or a date among them it is as good as the best that the tables offer."""

_OF_ANSWERS = frozenset({Signal.ABOUT_ANSWER, Signal.RECAP})


class PackPlanner:
    """Reads a message in its context and makes of it a program, a question, a refusal, or a move."""

    name = PlannerName.PACKS

    def propose(self, asked: Asked) -> Proposal:
        proposal = self._proposed(asked)
        waits = asked.continuity.clarification is not None and not asked.continuity.offers_readings
        if not asked.reading.uncovered or waits:
            return proposal
        lacks = proposal.refuses is None and route(proposal.signals, asked.continuity).entry_class is T.T10
        if proposal.refuses is None and not lacks:
            return proposal
        return self._either(asked) or self._offered(asked) or proposal

    def _either(self, asked: Asked) -> Proposal | None:
        """What the message asks for with each word that a slip in it may have been, as a question which."""
        found = [self._reread(asked, each) for each in asked.reading.others]
        readings = [each for each in found if each is not None]
        programs = {each.candidates[0].program: each.candidates[0] for each in readings}
        if not programs:
            return None
        candidates = tuple(programs.values())
        rule = "ask: a word is near to more than one"
        return _offer(readings[0], candidates, rule)

    def _reread(self, asked: Asked, reading: Reading) -> Proposal | None:
        """What the message asks for, read otherwise; None where it still asks for nothing whole."""
        own = message_signals(reading, asked.catalog.anchor)
        understood = self._proposed(replace(asked, reading=reading, own=own))
        asks = understood.refuses is not None or understood.asks is not None
        return None if asks or not understood.candidates or reading.uncovered else understood

    def _offered(self, asked: Asked) -> Proposal | None:
        """What the message asks for without a word that nobody knows, as a question."""
        left = without_unknown(asked)
        if left is None:
            return None
        reading, words = left
        understood = self._reread(asked, reading)
        if understood is None:
            return None
        offered = tuple(replace(each, uncovered=words) for each in understood.candidates)
        rule = f"ask: nothing accounts for {', '.join(words)}"
        return _offer(understood, offered, rule)

    def _proposed(self, asked: Asked) -> Proposal:
        asked = of_slice(asked)
        said = plain_said(asked)
        reading = said.reading
        own = None if said.values else asked.own
        signals = relate(reading, asked.continuity, asked.catalog, asked.today, asked.in_context, own)
        signals = with_signals(signals, said, asked)
        certainty = _certainty(reading, signals, asked)
        proposal = Proposal(self.name, signals, certainty)
        # What a request may carry depends on its class, so the class has to be known before it is planned.
        # The turn routes the winner again, with the same outcome.
        routing = route(signals, asked.continuity)
        # The pack would refuse. A reading of the tables that is sure is better than a refusal, so it must not
        # be cut off by certainty. A wish to change something is the exception: no read answers it.
        if routing.entry_class is T.T10:
            # How something is changed may stand in a document: that is no wish to have it changed.
            wishes = Signal.WRITE_REQUEST in signals and not has_texts(asked.catalog)
            return proposal if wishes else replace(proposal, certainty=min(certainty, LIKELY))
        if not _asks_a_verb(routing, asked.continuity):
            return proposal
        planned = _planned(reading, routing, asked)
        if not isinstance(planned, Refusal):
            planned = with_plain(planned, said, asked.continuity, routing, asked.catalog)
        match planned:
            case Refusal() as refusal:
                gives_way = refusal.code in _GIVING_WAY
                return replace(
                    proposal, refuses=refusal, certainty=min(certainty, LIKELY if gives_way else 1)
                )
            case Question() as question:
                return replace(proposal, asks=question)
            case Request() as request:
                return replace(proposal, candidates=(_candidate(request, routing, asked, certainty),))


def _offer(understood: Proposal, candidates: tuple[Candidate, ...], rule: str) -> Proposal:
    request = candidates[0].request
    scoped = request is not None and (request.organization is not None or request.dates is not None)
    certainty = _OFFERED if scoped else _UNSURE
    return replace(understood, certainty=certainty, candidates=candidates, asks=Options(), rule=rule)


def _asks_a_verb(routing: Routing, continuity: Continuity) -> bool:
    """Whether the turn runs a verb. The answer to an offered reading, and to the question whether to write,
    brings back a program that is there already; that to a reference goes on with it."""
    entry, pending = routing.entry_class, continuity.clarification
    if entry is T.T7 and continuity.resolving is not None:
        return False
    if entry is T.T7 and pending is not None:
        confirms = pending.clarification_kind is ClarificationKind.CONFIRM_RUN
        return not confirms and pending.missing_anchors != (READING,)
    return entry in _OF_ROOT or entry in _OF_OBJECT


def _planned(reading: Reading, routing: Routing, asked: Asked) -> Request | Question | Refusal:
    continuity, catalog = asked.continuity, asked.catalog
    pending = continuity.clarification
    if reading.unknown is not None:
        kind, name = reading.unknown
        return Question(catalog.actions[catalog.cards[kind]], (kind,), (), (), name, ambiguous=True)
    # T1 and T7 do not say whether an object is meant: a first message may name one that can be shown by
    # itself, and an answer resumes whatever was asked.
    about_object = routing.entry_class in _OF_OBJECT
    if routing.entry_class is T.T7 and pending is not None:
        about_object = pending.resume_target_route in catalog.actions
    elif routing.entry_class is T.T1:
        about_object = opens_object(reading, continuity, catalog)
    plan = make_object_request if about_object else make_request
    return plan(reading, continuity, routing, catalog, asked.today)


def _certainty(reading: Reading, signals: tuple[Signal, ...], asked: Asked) -> float:
    """How sure it is that the message is for a pack, or for the conversation, and not for the tables.

    Over a pack every word counts: a message that it understands whole is certain, unless a name in it was
    only guessed. What it does not understand whole, and what is not for it, the tables may answer.
    Talk is likely to be talk; without a pack even a question about an answer may as well be one about the
    data, and is left to the tables where they have a reading of it.
    """
    if _SETTLED.intersection(signals):
        return CERTAIN
    if Signal.FITS_CLARIFICATION in signals:
        # Which reading is meant was decided before (`ChoicePlanner`): this is for asking again, and gives
        # way to whatever the tables make of the message, be it a refusal that names a word.
        return HARDLY if asked.continuity.offers_readings else CERTAIN
    has_pack = bool(asked.catalog.verbs)
    if has_pack and signals and Signal.UNCOVERED not in signals:
        return LIKELY if reading.guessed else CERTAIN
    if _TALK.intersection(signals):
        # "Which companies are they for": what is pointed at is in the answer, and no talk about data.
        points = Signal.DATA_SCOPE in signals and reading.anaphor and not reading.asks_loaded
        answered = asked.continuity.last_answer is not None
        return UNKNOWN if points and answered and not has_pack else LIKELY
    if asked.continuity.last_answer is not None and _OF_ANSWERS.intersection(signals):
        if says_whole(asked.text, reading):
            return CERTAIN
        # With so many words of its own it is about something else: "what share of the rides was free". So
        # it is where a figure is asked for: "how many of those are high".
        other = len(reading.uncovered) >= _OF_SOMETHING_ELSE or asks_figure(asked.text, reading)
        return LIKELY if has_pack else UNKNOWN if other else POSSIBLE
    return POSSIBLE if has_pack else UNKNOWN


def _candidate(request: Request, routing: Routing, asked: Asked, probability: float) -> Candidate:
    # A question of its own starts from nothing. Editing the last program would keep arguments that nobody
    # mentioned.
    base = () if starts_anew(asked.continuity, routing.entry_class) else asked.continuity.base
    program = edited_program(base, request)
    return Candidate(
        program, difference(base, program), probability, bindings=request.bindings, request=request
    )


def edited_program(base: Program, request: Request) -> Program:
    """The program in hand with what the request says of it. Of the same verb, what the request does not speak
    of stays: a limit that a person wrote in is still meant a month later."""
    name = request.verb.signature.name
    bound = {b.name: Argument(b.name, b.value, b.display) for b in request.bindings}
    # Another verb has other arguments: nothing of the old statement is kept but what the request itself
    # carried.
    if len(base) == 1 and base[0].verb == name:
        kept = [a for a in base[0].arguments if a.name not in bound and not _is_anchor(request.verb, a)]
        arguments = {argument.name: argument for argument in kept} | bound
        return (replace(base[0], arguments=_in_order(arguments, request.verb)),)
    return (Statement(name, _in_order(bound, request.verb), name.replace(".", "-")),)


def _is_anchor(verb: CatalogVerb, argument: Argument) -> bool:
    """Whether an argument holds an entity or the date: those the request gives anew, or leaves out on
    purpose."""
    spec = verb.spec.arguments.get(argument.name)
    return argument.name == verb.date_argument or (spec is not None and bool(spec.entity))


def _in_order(arguments: dict[str, Argument], verb: CatalogVerb) -> tuple[Argument, ...]:
    """As the verb declares them; what it does not declare stays behind."""
    declared = [each.name for each in verb.signature.arguments]
    known = [arguments[name] for name in declared if name in arguments]
    return (*known, *(each for name, each in arguments.items() if name not in declared))

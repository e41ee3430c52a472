"""The transition registry: one record for each class, the six declared properties and the owner as data.

Nothing here decides: `routing` reads the entry conditions, `enforcement` holds every turn to all six.
"""

from dragoman.contracts.transition import EntryCondition, Transition
from dragoman.contracts.vocabulary import (
    AnswerMode,
    CarryoverDepth,
    Forbidden,
    Part,
    Prior,
    Signal,
    TransitionClass,
)

_FACT = (AnswerMode.CONFIRMED, AnswerMode.LIMITED)
_FACT_OR_QUESTION = (*_FACT, AnswerMode.CLARIFICATION_REQUIRED)
_NO_FACT = (AnswerMode.NONE,)
_NO_FACT_OR_QUESTION = (AnswerMode.NONE, AnswerMode.CLARIFICATION_REQUIRED)

_OUTPUT = (Part.PROGRAM, Part.GATE, Part.ANSWERS, Part.META_FRAME, Part.CLARIFICATION, Part.ATTEMPT)
_EVERYTHING_IN_HAND = (Part.ROOT_FRAME, Part.OBJECT_FRAME, *_OUTPUT)

REGISTRY: tuple[Transition, ...] = (
    Transition(
        id=TransitionClass.T0,
        title="small talk, talk about what data there is",
        owner=Part.DEFAULT_SCOPE,
        precedence=150,
        entry_condition=EntryCondition(
            "chat, a question about what there is, or a choice of the session's scope",
            any_of=(Signal.CHAT, Signal.DATA_SCOPE, Signal.SCOPE_CHOICE),
            none_of=(Signal.REQUEST,),
        ),
        required_prior_state=(),
        allowed_carryover_depth=CarryoverDepth.FULL,
        state_mutations=(Part.DEFAULT_SCOPE,),
        forbidden_carryover=(Forbidden.RUN_ROUTE,),
        expected_answer_modes=_NO_FACT,
        source="ours",
    ),
    Transition(
        id=TransitionClass.T1,
        title="root query",
        owner=Part.ROOT_FRAME,
        # Before T7: a self-contained question is never taken for the answer to a pending one, so a question
        # never traps the user.
        precedence=20,
        entry_condition=EntryCondition(
            "a business question that opens a root slice of its own",
            all_of=(Signal.REQUEST, Signal.OPENS_ROOT),
        ),
        required_prior_state=(),
        allowed_carryover_depth=CarryoverDepth.NONE,
        state_mutations=_EVERYTHING_IN_HAND,
        forbidden_carryover=(Forbidden.STALE_FOCUS, Forbidden.STALE_SCOPE),
        expected_answer_modes=_FACT_OR_QUESTION,
        source="003",
    ),
    Transition(
        id=TransitionClass.T2,
        title="root follow-up with another date, organization or filter",
        owner=Part.ROOT_FRAME,
        precedence=110,
        entry_condition=EntryCondition(
            "date, organization or filter changes within the domain in hand",
            any_of=(Signal.SHIFT, Signal.SAME_DOMAIN),
            none_of=(Signal.OPENS_ROOT, Signal.OTHER_DOMAIN),
        ),
        required_prior_state=(Prior.ROOT,),
        allowed_carryover_depth=CarryoverDepth.ROOT_ONLY,
        state_mutations=_EVERYTHING_IN_HAND,
        # A follow-up with a known route must not end as "I don't know what you mean": the domain is known
        # from the turn before.
        forbidden_carryover=(Forbidden.UNKNOWN_DOWNGRADE, Forbidden.UNANSWERED_ANTECEDENT),
        expected_answer_modes=_FACT_OR_QUESTION,
        source="003",
    ),
    Transition(
        id=TransitionClass.T3,
        title="drilldown into an object",
        owner=Part.OBJECT_FRAME,
        precedence=80,
        entry_condition=EntryCondition(
            "an object is named, or picked by ordinal, superlative or click",
            any_of=(Signal.OBJECT_NAMED, Signal.OBJECT_PICKED),
            none_of=(Signal.OPENS_ROOT,),
        ),
        required_prior_state=(Prior.ROOT, Prior.RESULT_SET),
        allowed_carryover_depth=CarryoverDepth.ROOT_ONLY,
        state_mutations=(Part.OBJECT_FRAME, *_OUTPUT),
        forbidden_carryover=(Forbidden.FOREIGN_PROVENANCE, Forbidden.UNANSWERED_ANTECEDENT),
        expected_answer_modes=_FACT_OR_QUESTION,
        source="003",
    ),
    Transition(
        id=TransitionClass.T4,
        title="short action on the selected object",
        owner=Part.OBJECT_FRAME,
        precedence=90,
        entry_condition=EntryCondition(
            "action words and no anaphor",
            all_of=(Signal.ACTION,),
            none_of=(Signal.ANAPHOR, Signal.OPENS_ROOT),
        ),
        required_prior_state=(Prior.OBJECT_OR_RESULT_SET,),
        allowed_carryover_depth=CarryoverDepth.OBJECT_ONLY,
        state_mutations=_OUTPUT,
        forbidden_carryover=(Forbidden.CHAT_FALLBACK, Forbidden.UNANSWERED_ANTECEDENT),
        expected_answer_modes=_FACT_OR_QUESTION,
        source="003",
    ),
    Transition(
        id=TransitionClass.T5,
        title="anaphora: a pronoun or a compressed mention of the object",
        owner=Part.OBJECT_FRAME,
        precedence=70,
        entry_condition=EntryCondition(
            "an anaphor that points at the object", all_of=(Signal.ANAPHOR,), none_of=(Signal.OPENS_ROOT,)
        ),
        required_prior_state=(Prior.OBJECT_OR_RESULT_SET,),
        allowed_carryover_depth=CarryoverDepth.OBJECT_ONLY,
        state_mutations=_OUTPUT,
        forbidden_carryover=(
            Forbidden.CHAT_FALLBACK,
            Forbidden.PRONOUN_SEARCH,
            Forbidden.UNANSWERED_ANTECEDENT,
        ),
        expected_answer_modes=_FACT_OR_QUESTION,
        source="003",
    ),
    Transition(
        id=TransitionClass.T6,
        title="pivot to another domain, scope kept",
        owner=Part.ROOT_FRAME,
        precedence=100,
        entry_condition=EntryCondition(
            "a request of another domain that lacks anchors of its own",
            all_of=(Signal.REQUEST, Signal.OTHER_DOMAIN),
            none_of=(Signal.OPENS_ROOT,),
        ),
        required_prior_state=(Prior.ROOT,),
        allowed_carryover_depth=CarryoverDepth.ROOT_ONLY,
        state_mutations=_EVERYTHING_IN_HAND,
        # Scope is carried, the object is not: after a pivot, the last action on an object would answer a
        # question that nobody asked.
        forbidden_carryover=(Forbidden.OBJECT_ROUTE_REPLAY, Forbidden.UNANSWERED_ANTECEDENT),
        expected_answer_modes=_FACT_OR_QUESTION,
        source="003",
    ),
    Transition(
        id=TransitionClass.T7,
        title="answer to a pending question",
        owner=Part.CLARIFICATION,
        # Before the classes that read words as data: "the first one" answers the question that was just
        # asked.
        precedence=40,
        entry_condition=EntryCondition(
            "the message fits the pending question",
            all_of=(Signal.FITS_CLARIFICATION,),
            none_of=(Signal.OPENS_ROOT,),
        ),
        required_prior_state=(Prior.CLARIFICATION,),
        allowed_carryover_depth=CarryoverDepth.FULL,
        state_mutations=(*_EVERYTHING_IN_HAND, Part.REFERENCE_DATE),
        forbidden_carryover=(Forbidden.FORGET_TARGET,),
        # NONE: a "no" to a write ends the question without a fact. UNSUPPORTED: a yes was given, and what was
        # run then failed.
        expected_answer_modes=(*_FACT_OR_QUESTION, AnswerMode.NONE, AnswerMode.UNSUPPORTED),
        source="003",
    ),
    Transition(
        id=TransitionClass.T8,
        title="question about an answer",
        owner=Part.META_FRAME,
        precedence=60,
        entry_condition=EntryCondition(
            "answerable from the answers in context",
            all_of=(Signal.ABOUT_ANSWER,),
            none_of=(Signal.OPENS_ROOT,),
        ),
        required_prior_state=(Prior.ANSWER,),
        allowed_carryover_depth=CarryoverDepth.META_ONLY,
        state_mutations=(Part.META_FRAME,),
        forbidden_carryover=(Forbidden.RUN_ROUTE, Forbidden.RAISE_TRUTH),
        # It takes the mode of the answer it speaks of, and that may be a refusal: "why not?" is a question
        # about one.
        expected_answer_modes=(*_FACT_OR_QUESTION, AnswerMode.UNSUPPORTED),
        source="003",
    ),
    Transition(
        id=TransitionClass.T9,
        title="recap of what was discussed",
        owner=Part.META_FRAME,
        precedence=50,
        entry_condition=EntryCondition(
            "asks whether or what was discussed", all_of=(Signal.RECAP,), none_of=(Signal.OPENS_ROOT,)
        ),
        required_prior_state=(Prior.GROUNDED_ANSWER,),
        allowed_carryover_depth=CarryoverDepth.META_ONLY,
        state_mutations=(Part.META_FRAME,),
        forbidden_carryover=(Forbidden.RUN_ROUTE, Forbidden.INVENT_MEMORY),
        expected_answer_modes=_FACT,
        source="003",
    ),
    Transition(
        id=TransitionClass.T10,
        title="boundary: unsupported, blocked, failed or refused",
        owner=Part.GATE,
        # It always fits and needs nothing, so routing always finds a class.
        precedence=999,
        entry_condition=EntryCondition("nothing else fits, or the outcome of another class was a boundary"),
        required_prior_state=(),
        allowed_carryover_depth=CarryoverDepth.NONE,
        # The attempt is no frame: what could not be answered is kept beside them, for a follow-up on it.
        state_mutations=(Part.GATE, Part.ANSWERS, Part.ATTEMPT),
        forbidden_carryover=(Forbidden.SOUND_CONFIRMED, Forbidden.ZERO_FOR_MISSING),
        expected_answer_modes=(
            AnswerMode.UNSUPPORTED,
            AnswerMode.LIMITED,
            AnswerMode.CLARIFICATION_REQUIRED,
        ),
        source="003",
    ),
    Transition(
        id=TransitionClass.X_CLEAR,
        title="clear: start over in the same session",
        owner=Part.PROGRAM,
        # Escape hatches come before every other class (1 to 9): a user who says cancel must not have to word
        # it so that nothing else fits.
        precedence=2,
        entry_condition=EntryCondition("the user says clear or start over", all_of=(Signal.ESCAPE_CLEAR,)),
        required_prior_state=(),
        allowed_carryover_depth=CarryoverDepth.NONE,
        state_mutations=_EVERYTHING_IN_HAND,
        # Clearing drops what is in hand, not what was found out: a recap may still speak of it.
        forbidden_carryover=(Forbidden.RUN_ROUTE, Forbidden.FORGET_ANSWERS, Forbidden.FORGET_HISTORY),
        expected_answer_modes=_NO_FACT,
        source="001",
    ),
    Transition(
        id=TransitionClass.X_CANCEL,
        title="cancel: the session ends read-only",
        owner=Part.LIFECYCLE,
        precedence=1,
        entry_condition=EntryCondition("the user says cancel", all_of=(Signal.ESCAPE_CANCEL,)),
        required_prior_state=(),
        allowed_carryover_depth=CarryoverDepth.NONE,
        state_mutations=(Part.LIFECYCLE,),
        forbidden_carryover=(Forbidden.RUN_ROUTE,),
        expected_answer_modes=_NO_FACT,
        source="001",
    ),
    Transition(
        id=TransitionClass.X_UNDO,
        title="undo: the program and the frames of the turn before",
        owner=Part.PROGRAM,
        precedence=3,
        entry_condition=EntryCondition("the user says undo", all_of=(Signal.ESCAPE_UNDO,)),
        required_prior_state=(Prior.HISTORY,),
        allowed_carryover_depth=CarryoverDepth.FULL,
        state_mutations=_EVERYTHING_IN_HAND,
        forbidden_carryover=(Forbidden.RUN_ROUTE,),
        expected_answer_modes=_NO_FACT,
        source="001",
    ),
    Transition(
        id=TransitionClass.X_EDIT,
        title="the user edited the program",
        owner=Part.PROGRAM,
        precedence=4,
        entry_condition=EntryCondition("the program was edited by hand", all_of=(Signal.ESCAPE_EDIT,)),
        required_prior_state=(),
        allowed_carryover_depth=CarryoverDepth.NONE,
        state_mutations=(Part.PROGRAM, Part.CLARIFICATION, Part.ATTEMPT),
        forbidden_carryover=(Forbidden.RUN_ROUTE, Forbidden.UNASKED_WRITE),
        expected_answer_modes=_NO_FACT_OR_QUESTION,
        source="001",
    ),
    Transition(
        id=TransitionClass.X_HELP,
        title="help for the phase in hand",
        owner=Part.TURN,
        precedence=5,
        entry_condition=EntryCondition("the user asks for help", all_of=(Signal.ESCAPE_HELP,)),
        required_prior_state=(),
        allowed_carryover_depth=CarryoverDepth.FULL,
        state_mutations=(),
        forbidden_carryover=(Forbidden.RUN_ROUTE,),
        expected_answer_modes=_NO_FACT,
        source="001",
    ),
    Transition(
        id=TransitionClass.X_SKIP,
        title="skip an unresolved reference",
        owner=Part.CLARIFICATION,
        precedence=6,
        entry_condition=EntryCondition("the user says skip", all_of=(Signal.ESCAPE_SKIP,)),
        required_prior_state=(Prior.UNRESOLVED_REFS,),
        allowed_carryover_depth=CarryoverDepth.FULL,
        state_mutations=_EVERYTHING_IN_HAND,
        forbidden_carryover=(Forbidden.UNASKED_WRITE,),
        expected_answer_modes=(AnswerMode.NONE, AnswerMode.LIMITED, AnswerMode.CLARIFICATION_REQUIRED),
        source="001",
    ),
    Transition(
        id=TransitionClass.X_CREATE,
        title="create the entity that was not found",
        owner=Part.CLARIFICATION,
        precedence=7,
        entry_condition=EntryCondition("the user says create new", all_of=(Signal.ESCAPE_CREATE,)),
        required_prior_state=(Prior.UNRESOLVED_REFS,),
        allowed_carryover_depth=CarryoverDepth.FULL,
        state_mutations=(Part.PROGRAM, Part.CLARIFICATION),
        forbidden_carryover=(Forbidden.UNASKED_WRITE,),
        expected_answer_modes=_NO_FACT_OR_QUESTION,
        source="001",
    ),
    Transition(
        id=TransitionClass.X_SEARCH,
        title="search for the entity in another way",
        owner=Part.CLARIFICATION,
        precedence=8,
        entry_condition=EntryCondition("the user wants another search", all_of=(Signal.ESCAPE_SEARCH,)),
        required_prior_state=(Prior.UNRESOLVED_REFS,),
        allowed_carryover_depth=CarryoverDepth.FULL,
        state_mutations=(Part.PROGRAM, Part.CLARIFICATION),
        forbidden_carryover=(Forbidden.RUN_ROUTE,),
        expected_answer_modes=_NO_FACT_OR_QUESTION,
        source="001",
    ),
    Transition(
        id=TransitionClass.X_NONE,
        title="none of the offered answers",
        owner=Part.CLARIFICATION,
        precedence=9,
        entry_condition=EntryCondition("the user says none of these", all_of=(Signal.ESCAPE_NONE,)),
        required_prior_state=(Prior.CLARIFICATION,),
        allowed_carryover_depth=CarryoverDepth.NONE,
        state_mutations=(Part.PROGRAM, Part.CLARIFICATION, Part.ATTEMPT),
        forbidden_carryover=(Forbidden.RUN_ROUTE,),
        expected_answer_modes=_NO_FACT_OR_QUESTION,
        source="001",
    ),
    Transition(
        id=TransitionClass.X_EXTEND,
        title="a writer appended to the program in hand",
        owner=Part.PROGRAM,
        precedence=10,
        entry_condition=EntryCondition(
            "asks to save or send the result", all_of=(Signal.EXTEND,), none_of=(Signal.OPENS_ROOT,)
        ),
        required_prior_state=(Prior.PROGRAM,),
        allowed_carryover_depth=CarryoverDepth.FULL,
        state_mutations=(Part.PROGRAM, Part.CLARIFICATION),
        forbidden_carryover=(Forbidden.RUN_ROUTE, Forbidden.UNASKED_WRITE),
        expected_answer_modes=(AnswerMode.CLARIFICATION_REQUIRED,),
        source="ours",
    ),
    Transition(
        id=TransitionClass.X_RUN,
        title="run the program in hand",
        owner=Part.PROGRAM,
        precedence=11,
        entry_condition=EntryCondition("the user says run", all_of=(Signal.RUN,)),
        required_prior_state=(Prior.READY,),
        allowed_carryover_depth=CarryoverDepth.FULL,
        state_mutations=(Part.PROGRAM, Part.ANSWERS, Part.GATE, Part.CLARIFICATION, Part.ATTEMPT),
        forbidden_carryover=(Forbidden.UNASKED_WRITE,),
        # UNSUPPORTED: it was run and failed, and can be tried again.
        expected_answer_modes=(*_FACT_OR_QUESTION, AnswerMode.UNSUPPORTED),
        source="ours",
    ),
    Transition(
        id=TransitionClass.X_TEACH,
        title="a word is taught, taken back, or asked for",
        owner=Part.CLARIFICATION,
        precedence=12,
        entry_condition=EntryCondition("says what a word means", all_of=(Signal.TEACH,)),
        required_prior_state=(),
        allowed_carryover_depth=CarryoverDepth.FULL,
        # A request that waited behind the question before it waits no more: the program is the same.
        state_mutations=(Part.CLARIFICATION, Part.PROGRAM),
        forbidden_carryover=(
            Forbidden.RUN_ROUTE,
            Forbidden.UNASKED_WRITE,
            Forbidden.UNASKED_WORD,
            Forbidden.OTHER_PROGRAM,
        ),
        expected_answer_modes=(AnswerMode.CLARIFICATION_REQUIRED, AnswerMode.NONE),
        source="ours",
    ),
)

BY_CLASS = {transition.id: transition for transition in REGISTRY}

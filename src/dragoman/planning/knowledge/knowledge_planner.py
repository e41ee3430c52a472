"""The planners of what texts and records answer: passages, definitions, what a run did.

They say nothing of messages that are about data. What has the form of a question after knowledge ("how do I
…", "what does … mean") is taken where there is an answer to it; any other question only where nobody else can
do anything with it, which is why its planner comes last.
"""

from typing import Final

from msgspec.structs import replace

from dragoman.catalog.knowledge.signatures import DEFINE, EXPLAIN, FIND, LANGUAGE, LAST, QUESTION, RUN, SOURCE
from dragoman.catalog.knowledge.signatures import TERM as TERM_ARGUMENT
from dragoman.catalog.knowledge.verbs import text_in
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.knowledge import SURE, Ranked
from dragoman.contracts.program import Argument, Statement, Text
from dragoman.contracts.roles import RequestType
from dragoman.contracts.vocabulary import EvidenceSource, Signal
from dragoman.documents.asked_for import asking_in
from dragoman.language.edits import difference
from dragoman.planning.contract import (
    CERTAIN,
    LIKELY,
    POSSIBLE,
    Asked,
    Candidate,
    PlannerName,
    Proposal,
    Refusal,
)
from dragoman.planning.knowledge.patterns import KnowledgeAsk, asked_in, leaning_rest, names_rules
from dragoman.planning.knowledge.texts import has_texts

NOT_IN_DOCUMENTS: Final = "not_in_documents"
_BY_FORM: Final = (CERTAIN + LIKELY) / 2
"""The form asks for knowledge, and there is an answer that has most of the question."""
_WELL: Final = 0.75
"""From this confidence on it has it so well that nobody else has to be asked."""
_BY_WORDS: Final = POSSIBLE + 0.02
"""Only the words of a question stand in a document: whoever can do anything with it comes first."""
_NOTHING: Final = POSSIBLE + 0.015
"""Better than a refusal that blames a word: it has been looked for."""
_OPENS: Final = (Signal.REQUEST, Signal.OPENS_ROOT)
_FOLLOWS: Final = (Signal.REQUEST, Signal.SAME_DOMAIN)
_FEWEST_WORDS: Final = 3
"""A shorter message is no question by itself; with a question mark one more may be missing."""
_FEWEST_ASKED: Final = 2
_WHOLE: Final = 0.95
"""From this confidence on a passage has all that was said."""
_FEWEST_OF_WHOLE: Final = 3
_FEWEST_TELLING: Final = 2
"""Beside data, a single word of a question is found in any document."""


class KnowledgePlanner:
    """Proposes the verbs of knowledge for messages that have the form of such a question."""

    name = PlannerName.KNOWLEDGE

    def propose(self, asked: Asked) -> Proposal | None:
        if asked.written is not None:
            return None
        code = asked.reading.language
        found = asked_in(asked.text, code)
        followed = self._follow_up(asked, code)
        if followed is not None:
            return followed
        if found is None:
            return None
        match found.kind:
            case RequestType.TROUBLESHOOTING:
                return self._of_run(asked, found)
            case RequestType.DATA_DEFINITION:
                return self._of_term(asked, found)
            case RequestType.HOWTO_POLICY | RequestType.DESIGN_ARCH:
                return self._of_documents(asked)
            case _:
                return None

    def _of_run(self, asked: Asked, found: KnowledgeAsk) -> Proposal | None:
        log = asked.catalog.run_log
        # Where nothing was ever run, the word for a run is a word of somebody's data.
        if log is None or not log.runs(limit=1):
            return None
        run = _statement(EXPLAIN, RUN, found.run or LAST)
        return taken(asked, run, 1.0, CERTAIN, "the message asks about a run")

    def _of_term(self, asked: Asked, question: KnowledgeAsk) -> Proposal | None:
        found = defined(asked, question.term, question.language)
        if found is not None:
            statement, sure = found
            return taken(asked, statement, sure, CERTAIN, "the message asks what a word means")
        return self._of_documents(asked)

    def _of_documents(self, asked: Asked) -> Proposal | None:
        """A question whose form asks for knowledge: where there are documents, one of them has to have it."""
        if not has_texts(asked.catalog):
            return None
        statement = _question(asked)
        sure = _confidence(asked, statement)
        if sure < SURE:
            return refused()
        certainty = CERTAIN if sure >= _WELL else _BY_FORM
        return taken(asked, statement, sure, certainty, "the message asks how something is done")

    def _follow_up(self, asked: Asked, code: str) -> Proposal | None:
        """“And for contractors?” asks the question in hand again, of what it names instead or besides."""
        base = asked.continuity.base
        if not base or base[-1].verb not in (FIND, DEFINE):
            return None
        rest = leaning_rest(asked.text, code)
        if not rest:
            return None
        before = base[-1]
        if before.verb == DEFINE:
            found = defined(asked, rest, code)
            statement, sure = _changed(before, TERM_ARGUMENT, rest), found[1] if found is not None else 0.0
        elif names_rules(asked.text, code):
            statement = _changed(before, SOURCE, EvidenceSource.POLICY.value)
            sure = _confidence(asked, statement)
        else:
            statement = _changed(before, QUESTION, f"{text_in(before, QUESTION).rstrip(' ?!.')} {rest}")
            sure = _confidence(asked, statement)
        if sure < SURE:
            return refused()
        rule = "it goes on from a question after knowledge"
        return taken(asked, statement, sure, _BY_FORM, rule, follows=True)


class AnyQuestionPlanner:
    """Proposes the verbs of knowledge for any other message that documents have the words of."""

    name = PlannerName.KNOWLEDGE

    def propose(self, asked: Asked) -> Proposal | None:
        text = asked.text
        if asked.written is not None:
            return None
        found = asked_in(text, asked.reading.language)
        if found is not None and found.kind is RequestType.KNOWLEDGE_QA:
            known = defined(asked, found.term, found.language)
            if known is not None:
                return _instead(taken(asked, *known, _BY_WORDS, "the message asks what a thing is"))
        fewest = _FEWEST_ASKED if text.rstrip().endswith("?") else _FEWEST_WORDS
        if not has_texts(asked.catalog) or len(text.split()) < fewest:
            return None
        statement = _question(asked)
        best = _best(asked, statement)
        sure = best.confidence if best is not None else 0.0
        has_data = _has_data(asked)
        # Beside data most questions are about data, and those that nobody can answer are too.
        if best is not None and has_data and not (sure >= _WELL and best.words >= _FEWEST_TELLING):
            return None
        # What is not even put as a question asks for rows, "hourly rate of each member", unless a passage has
        # all of it.
        whole = best is not None and _says_it_all(best)
        if has_data and not whole and not _is_put_as_question(text, asked.reading.language):
            return None
        if sure >= SURE:
            certainty = _BY_WORDS if has_data else _BY_FORM
            why = "a document has what the message asks"
            return _instead(taken(asked, statement, sure, certainty, why))
        # Where there is nothing but documents, nobody else can say what is missing.
        return None if has_data else refused()


def defined(asked: Asked, term: str, code: str) -> tuple[Statement, float] | None:
    """The program that says what a term means, and how sure that is; None where nobody has said it."""
    # Imported for such questions alone: most messages are about data.
    from dragoman.catalog.knowledge.definitions import definitions

    known = definitions(asked.catalog, term, code) if term else []
    sure = max((each.confidence for each in known), default=0.0)
    if sure < SURE:
        return None
    return _statement(DEFINE, TERM_ARGUMENT, term, (LANGUAGE, code)), sure


def taken(
    asked: Asked,
    statement: Statement,
    sure: float,
    certainty: float,
    why: str,
    *,
    follows: bool = False,
) -> Proposal:
    base = asked.continuity.base
    program = (statement,)
    candidate = Candidate(program, difference(base, program), sure, follows=follows, notes=(why,))
    return Proposal(
        PlannerName.KNOWLEDGE,
        _FOLLOWS if follows else _OPENS,
        certainty,
        (candidate,),
        rule=f"take: {why}",
    )


def _instead(proposal: Proposal) -> Proposal:
    """An answer for whatever everybody else refuses."""
    return replace(proposal, instead=True)


def refused() -> Proposal:
    refusal = Refusal(NOT_IN_DOCUMENTS)
    rule = "refuse: no document has what the message asks"
    return Proposal(PlannerName.KNOWLEDGE, (Signal.UNCOVERED,), _NOTHING, refuses=refusal, rule=rule)


def _question(asked: Asked) -> Statement:
    rules = names_rules(asked.text, asked.reading.language)
    more = ((SOURCE, EvidenceSource.POLICY.value),) if rules else ()
    return _statement(FIND, QUESTION, " ".join(asked.text.split()), *more)


def _statement(verb: str, name: str, value: str, *more: tuple[str, str]) -> Statement:
    arguments = tuple(Argument(each, Text(text)) for each, text in ((name, value), *more))
    return Statement(verb, arguments)


def _changed(statement: Statement, name: str, value: str) -> Statement:
    """A statement with one argument said otherwise."""
    kept = [each for each in statement.arguments if each.name != name]
    place = next((at for at, each in enumerate(statement.arguments) if each.name == name), len(kept))
    kept.insert(place, Argument(name, Text(value)))
    return Statement(statement.verb, tuple(kept))


def _confidence(asked: Asked, statement: Statement) -> float:
    """How sure the best passage is; 0 where there is none."""
    best = _best(asked, statement)
    return best.confidence if best is not None else 0.0


def _best(asked: Asked, statement: Statement) -> Ranked | None:
    """The best passage; None also where documents cannot be read: then nobody says anything of them."""
    source = text_in(statement, SOURCE)
    try:
        found = asked.catalog.library.find(
            text_in(statement, QUESTION), source=EvidenceSource(source) if source else None, top=1
        )
    except DragomanError:
        return None
    return found[0] if found else None


def _is_put_as_question(text: str, code: str) -> bool:
    """By its sign or by its words: many people leave the sign out."""
    if text.rstrip().endswith("?"):
        return True
    asking = asking_in(text, code)
    return asking.how or bool(asking.kinds)


def _says_it_all(found: Ranked) -> bool:
    """Whether a passage has all that was said, and not one word here and another there."""
    return min(found.confidence, found.nearness) >= _WHOLE and found.words >= _FEWEST_OF_WHOLE


def _has_data(asked: Asked) -> bool:
    catalog = asked.catalog
    return bool(catalog.packs.packs) or any(catalog.tables_of(spec) for spec in catalog.in_order())

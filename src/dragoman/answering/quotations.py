"""What is said of knowledge: one sentence that leads in, then passages as they stand, each with its place."""

from itertools import islice
from typing import Final

from dragoman.answering.phrases import Phrases
from dragoman.catalog.knowledge.signatures import (
    DEFINE,
    DIRECTION,
    END,
    EXPLAIN,
    FIND,
    GRAPH,
    GRAPH_FIND,
    KNOWLEDGE,
    LAST,
    NEIGHBOURS,
    OF,
    PATHS,
    QUESTION,
    RUN,
    SOURCE,
    START,
    TERM,
)
from dragoman.catalog.knowledge.verbs import text_in
from dragoman.contracts.answer import AnswerObject, Cell
from dragoman.contracts.graph import Direction
from dragoman.contracts.program import Program
from dragoman.contracts.vocabulary import EvidenceSource

NOT_IN_DOCUMENTS: Final = "not_in_documents"
_SHOWN: Final = 3
_ROWS_OF_GRAPH: Final = 20
_SHORT: Final = 160
_LONGEST_SUBJECT: Final = 80
_DONE: Final = "done"


def asks_knowledge(program: Program) -> bool:
    """Whether a program asks what is known beside the data."""
    return bool(program) and program[-1].verb in KNOWLEDGE


def subject_of(program: Program, phrases: Phrases) -> str:
    """What a program asks of knowledge, as the beginning of a sentence."""
    statement = program[-1]
    match statement.verb:
        case str(verb) if verb == FIND:
            rules = text_in(statement, SOURCE) == EvidenceSource.POLICY
            key = "knowledge_rules" if rules else "knowledge_passages"
            return phrases.say(key, question=_cut(text_in(statement, QUESTION), _LONGEST_SUBJECT))
        case str(verb) if verb == DEFINE:
            return phrases.say("knowledge_meaning", term=_cut(text_in(statement, TERM), _LONGEST_SUBJECT))
        case str(verb) if verb == PATHS:
            start, end = text_in(statement, START), text_in(statement, END)
            return phrases.say("graph_paths", start=_cut(start, _SHORT), end=_cut(end, _SHORT))
        case str(verb) if verb == NEIGHBOURS:
            key = "graph_dependents" if text_in(statement, DIRECTION) == Direction.IN else "graph_neighbours"
            return phrases.say(key, of=_cut(text_in(statement, OF), _SHORT))
        case str(verb) if verb == GRAPH_FIND:
            return phrases.say("graph_query")
        case _:
            run = text_in(statement, RUN)
            named = bool(run) and run != LAST
            return phrases.say("knowledge_run", run=run) if named else phrases.say("knowledge_last_run")


def is_quoted(answer: AnswerObject) -> bool:
    """Whether an answer quotes what is known beside the data."""
    return asks_knowledge(answer.program) and bool(answer.evidence)


def quotation(answer: AnswerObject, phrases: Phrases) -> str:
    """The whole answer: a sentence that leads in, then what stands there, word for word."""
    if answer.route == EXPLAIN:
        lines = [phrases.say("quoted_run"), *(_part(row, phrases) for row in answer.rows)]
    elif answer.route in GRAPH:
        rows = answer.rows[:_ROWS_OF_GRAPH]
        lines = [phrases.say("quoted_graph", subject=answer.subject)]
        lines += [_graph_row(answer, row, phrases) for row in rows]
    else:
        lead = "quoted_definitions" if answer.route == DEFINE else "quoted_passages"
        quoted = (phrases.say("quoted", passage=each.snippet, ref=each.ref) for each in answer.evidence)
        lines = [phrases.say(lead, subject=answer.subject), *islice(quoted, _SHOWN)]
    if answer.note:
        lines.append(phrases.say("limited", reason=answer.note).strip())
    return "\n".join(lines)


def finding(answer: AnswerObject, phrases: Phrases) -> str:
    """The answer in a few words: how its best passage begins, and where that stands."""
    if answer.route == EXPLAIN:
        return _part(answer.rows[0], phrases)
    best = answer.evidence[0]
    return phrases.say("quoted", passage=_cut(" ".join(best.snippet.split()), _SHORT), ref=best.ref)


def _graph_row(answer: AnswerObject, row: tuple[Cell, ...], phrases: Phrases) -> str:
    """A path as it leads, a link from the thing that was asked about, or what a query gives."""
    if answer.route == PATHS:
        return phrases.say("quoted", passage=str(row[0]), ref=str(row[-1]))
    if answer.route == NEIGHBOURS:
        other, _, link, way, place = map(str, row)
        arrow = f"–{link}→ {other}" if way == Direction.OUT else f"←{link}– {other}"
        return phrases.say("quoted", passage=arrow, ref=place)
    return ", ".join("" if cell is None else str(cell) for cell in row)


def _part(row: tuple[Cell, ...], phrases: Phrases) -> str:
    """A run or a step of it: how far it came, and why not further."""
    part, component, state, _, problem, hint, place = (str(cell) if cell is not None else "" for cell in row)
    named = f"{part} ({component})" if component else part
    why = f": {problem}" if problem else ""
    help_text = f" ({hint})" if hint and state != _DONE else ""
    return phrases.say("quoted_part", part=named, state=state, why=why + help_text, ref=place)


def _cut(text: str, longest: int) -> str:
    return text if len(text) <= longest else f"{text[: longest - 1]}…"

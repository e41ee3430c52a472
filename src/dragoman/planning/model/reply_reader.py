"""What a model handed over, taken apart: through the guards, or with a fault that names the error."""

import json
import re
from typing import Any, Final

from dragoman.contracts.model import ModelReply
from dragoman.contracts.program import Diagnostic, Program
from dragoman.contracts.record import Record
from dragoman.contracts.roles import AnalystPlan, Role
from dragoman.contracts.vocabulary import Notation, Stage
from dragoman.guards.json_text.lenient import extract_object
from dragoman.guards.roles import accepted_role_output
from dragoman.language.front import read_program
from dragoman.language.source import Source
from dragoman.planning.model.tool import CHOICE, CONTINUES, NAME, PLAN, PROGRAM, PROGRAMS

_LEGACY: Final = ("oml_version", "steps", "version", "connectors", "tasks", "outputs")
"""Keys of OML, and of what came before it: a program in place of the arguments of the tool."""
_PROGRAM: Final = re.compile(rf"\A\s*(?:\(|;|(?:{'|'.join(_LEGACY)})\s*:)")
_OML: Final = re.compile(rf"\A\s*\{{|^\s*(?:{'|'.join(_LEGACY)})\s*:", re.MULTILINE)
_FENCE: Final = re.compile(r"```[a-z]*\n(.*?)```", re.DOTALL)
_ASKING: Final = ("question", "clarification", "ask")
"""What models call a question that they want to ask."""
_MOST_FINDINGS: Final = 5
MOST_WRITTEN: Final = 20_000


class Fault(Record, frozen=True):
    """Why what a model wrote is not accepted: for the model `problem`, which names the error; `keys` are
    values that belong to it. `text` and `program` are what it wrote, as far as it can be read."""

    problem: str
    text: str
    stage: Stage = Stage.SYNTAX
    diagnostics: tuple[Diagnostic, ...] = ()
    program: Program = ()
    keys: str = ""

    @property
    def told(self) -> tuple[Diagnostic, ...]:
        """As findings of the program's guard."""
        return self.diagnostics or (Diagnostic("invalid_model_output", self.problem),)


class Handed(Record, frozen=True):
    """What a model handed over: a plan and one of a program, a choice, several programs, or nothing.
    `questions` are open ones, which are dropped."""

    plan: AnalystPlan
    program: str = ""
    continues: bool = False
    programs: tuple[str, ...] = ()
    choice: int | None = None
    questions: tuple[str, ...] = ()


def read_reply(reply: ModelReply) -> Handed | Fault:
    """The arguments of the tool; also where they stand in the text of the reply."""
    if not reply.tool_calls:
        return _of_text(reply.text)
    if any(call.name != NAME for call in reply.tool_calls):
        names = ", ".join(sorted({call.name[:80] for call in reply.tool_calls} - {NAME}))
        return Fault(f"there is no tool {names}; the only one is {NAME}", reply.text or names)
    if len(reply.tool_calls) > 1:
        return Fault(f"{NAME} was called {len(reply.tool_calls)} times; call it once", reply.text)
    return _of_arguments(reply.tool_calls[0].arguments)


def _of_text(text: str) -> Handed | Fault:
    if len(text) > MOST_WRITTEN:
        return Fault(f"more than {MOST_WRITTEN:,} characters", text[:MOST_WRITTEN])
    for part in (text, *_FENCE.findall(text)):
        if _PROGRAM.match(part):
            return _bare_program(part.strip())
    return _of_arguments(text)


def _of_arguments(text: str) -> Handed | Fault:
    if len(text) > MOST_WRITTEN:
        return Fault(f"more than {MOST_WRITTEN:,} characters", text[:MOST_WRITTEN])
    found = extract_object(text)
    if found.value is None:
        return Fault(f"{found.code}: {found.message}; call {NAME} with a plan and a program", text)
    return _of_object(found.value, text)


def _bare_program(text: str) -> Fault:
    """A program where the tool should have been called: whatever is wrong with it is named, too."""
    notation = notation_of(text)
    document = read_program(Source(text), notation)
    problem = f"call {NAME} with a plan, and with the program as the text of its argument {PROGRAM}"
    findings = document.diagnostics
    told = "; ".join(said(each) for each in findings[:_MOST_FINDINGS])
    return Fault(f"{told}; {problem}" if told else problem, text, diagnostics=findings)


def notation_of(text: str) -> Notation:
    """OML has keys of its own; everything else is meant as verbs."""
    return Notation.OML if _OML.search(text) else Notation.VERBS


def said(finding: Diagnostic) -> str:
    """A finding with its place, as a person who writes programs gets it."""
    where = f"line {finding.span.line}, column {finding.span.column}: " if finding.span else ""
    hint = f"; {finding.hint}" if finding.hint else ""
    return f"{where}{finding.code}: {finding.message}{hint}"


def _of_object(given: dict[str, Any], text: str) -> Handed | Fault:
    if PLAN not in given and any(key in given for key in _LEGACY):
        return _bare_program(json.dumps(given, ensure_ascii=False, indent=1))
    plan = accepted_role_output(Role.ANALYST, _without_question(given.get(PLAN)))
    if not isinstance(plan, AnalystPlan):
        findings = plan if isinstance(plan, tuple) else ()
        told = "; ".join(f"{each.code}: {each.message}" for each in findings[:_MOST_FINDINGS])
        return Fault(f"the {PLAN} is not accepted: {told}", text)
    questions = tuple(_questions(given))
    program, programs, choice = given.get(PROGRAM) or "", given.get(PROGRAMS) or [], given.get(CHOICE)
    is_right = isinstance(program, str) and isinstance(programs, list)
    if not is_right or not all(isinstance(each, str) for each in programs):
        return Fault(f"{PROGRAM} must be a text, and {PROGRAMS} a list of texts", text)
    if choice is not None and type(choice) is not int:
        return Fault(f"{CHOICE} must be the number of a reading", text)
    if (bool(program) + bool(programs) + (choice is not None)) > 1:
        return Fault(f"give only one of {PROGRAM}, {PROGRAMS} and {CHOICE}", text)
    if any(len(each) > MOST_WRITTEN for each in (program, *programs)):
        return Fault(f"more than {MOST_WRITTEN:,} characters", text[:MOST_WRITTEN])
    continues = given.get(CONTINUES) is True
    return Handed(plan, program.strip(), continues, tuple(programs), choice, questions)


def _without_question(plan: object) -> object:
    """The plan without an open question: that is dropped, and what else the plan says may be right."""
    if isinstance(plan, dict) and isinstance(plan.get("missing_info_questions"), list):
        return {**plan, "missing_info_questions": []}
    return plan


def _questions(given: dict[str, Any]) -> list[str]:
    plan = given.get(PLAN)
    asked = plan.get("missing_info_questions") if isinstance(plan, dict) else None
    several = asked if isinstance(asked, list) else []
    named = [given[key] for key in _ASKING if key in given]
    return [each for each in (*several, *named) if isinstance(each, str) and each.strip()]

"""The sentences. They say what was found, how sure it is, and what can be done next; never more."""

import datetime as dt

from dragoman.answering.coverage import Coverage
from dragoman.catalog.trade.catalog import WAREHOUSE, TradeCatalog
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.pack import DateUse
from dragoman.contracts.state import ClarificationState, SessionState
from dragoman.contracts.vocabulary import CoverageStatus, EvidenceGrade, Phase, Prior
from dragoman.planning.request import Question, Refusal, Request


def answer_sentence(request: Request, answer: AnswerObject, coverage: Coverage) -> str:
    sentence = f"{subject(request)}: {finding(answer)}."
    if coverage.status is CoverageStatus.PARTIAL:
        sentence += f" This is limited: {coverage.reason}."
    if answer.gate.evidence_grade is not EvidenceGrade.CHECKED:
        sentence += " This is limited: the recount of the result did not agree."
    return sentence


def subject(request: Request) -> str:
    """What a request is about: `Stock of Alfa Trade on 31 March 2020`."""
    if request.focus is not None:
        about = f"{request.verb.signature.title} {request.focus.name}"
        return f"{about}, {request.organization.name} {_dates(request)}"
    where = request.organization.name
    warehouse = next((b.display for b in request.bindings if b.name == WAREHOUSE), "")
    if warehouse:
        where += f", warehouse {warehouse},"
    return f"{request.verb.signature.title} of {where} {_dates(request)}"


_NAMED_ROWS = 5


def finding(answer: AnswerObject) -> str:
    """The result in a few words: the amount, or how many rows and what they add up to."""
    if len(answer.columns) == 1 and answer.figures:
        return answer.figures[0].value
    if not answer.row_count:
        return "nothing"
    if len(answer.columns) == 1 and answer.row_count <= _NAMED_ROWS:
        return ", ".join(str(row[0]) for row in answer.rows)
    rows = f"{answer.row_count} row{'s' if answer.row_count != 1 else ''}"
    money = bool(answer.columns and answer.figures) and answer.columns[-1].name == "amount"
    return f"{rows}, {answer.figures[0].value} in total" if money else rows


def _dates(request: Request) -> str:
    dates = request.dates
    if request.verb.date_use is DateUse.AS_OF:
        return f"on {day_words(dates.end)}"
    if dates.start == dates.end:
        return f"on {day_words(dates.end)}"
    return f"from {day_words(dates.start)} to {day_words(dates.end)}"


def day_words(day: dt.date) -> str:
    return f"{day.day} {day:%B %Y}"


_ANCHOR_QUESTIONS = {
    "organization": "For which organization?",
    "date": "For which date or period? For example: 31 March 2020.",
}


def question_sentence(question: Question, not_understood: bool = False) -> str:
    ask = _ANCHOR_QUESTIONS.get(question.missing[0], f"Which {question.missing[0]}?")
    if question.candidates:
        ask += " There are " + ", ".join(c.label for c in question.candidates) + "."
    return f"I did not understand that. {ask}" if not_understood else ask


def blocked_sentence(request: Request, coverage: Coverage) -> str:
    return f"I cannot answer that. {subject(request)}: {coverage.reason}."


def refusal_sentence(refusal: Refusal, catalog: TradeCatalog) -> str:
    text = refusal.text[0].upper() + refusal.text[1:]
    return f"{text}. I can look up {_abilities(catalog)}."


def boundary_sentence(missing: tuple[Prior, ...], catalog: TradeCatalog) -> str:
    """Nothing fitted: say what was lacking, and what can be asked."""
    if Prior.ROOT in missing:
        return "There is nothing yet to follow up on. Ask for example: stock of Alfa Trade on 31 March 2020."
    if Prior.HISTORY in missing:
        return "There is nothing to undo."
    if Prior.CLARIFICATION in missing or Prior.UNRESOLVED_REFS in missing:
        return "There is no open question to answer."
    if Prior.READY in missing:
        return "There is no program waiting to be run."
    return f"I do not understand that. I can look up {_abilities(catalog)}."


def _abilities(catalog: TradeCatalog) -> str:
    titles = [verb.signature.title for verb in catalog.verbs.values()]
    return ", ".join(
        title[0].lower() + title[1:] if not title.startswith("VAT") else title for title in titles
    )


def data_scope_sentence(catalog: TradeCatalog) -> str:
    organizations = " and ".join(e.ref.name for e in catalog.organizations())
    return f"I have {organizations}. I can look up {_abilities(catalog)}."


def chat_sentence() -> str:
    return "I am here for the data: ask me about it, or say “help”."


def help_sentence(state: SessionState, catalog: TradeCatalog) -> str:
    """What can be done from where the session stands."""
    pending = state.frames.clarification
    if pending is not None:
        return f"I am waiting for an answer: {_pending(pending)} You can also say undo, clear or cancel."
    match state.program.phase:
        case Phase.READY:
            return "The program is ready: say “run it”, ask something else, or say undo or clear."
        case Phase.DONE:
            return (
                "Change the date or the organization (“and for April?”, “what about Beta Retail?”), "
                f"ask for something else ({_abilities(catalog)}), or say undo, clear or cancel."
            )
        case _:
            return (
                f"Ask for {_abilities(catalog)}, with an organization and a date: "
                "“stock of Alfa Trade on 31 March 2020”."
            )


def _pending(pending: ClarificationState) -> str:
    if not pending.missing_anchors:
        return f"about {pending.resume_target_route}."
    ask = _ANCHOR_QUESTIONS.get(pending.missing_anchors[0], f"{pending.missing_anchors[0]}?")
    options = ", ".join(c.label for c in pending.candidate_scopes)
    return f"{ask} {options}." if options else ask

"""What was found out so far (T9): from the record alone."""

from dragoman.answering.sentences import Wording
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.record import Record
from dragoman.contracts.vocabulary import TruthMode
from dragoman.reading.cues import says_nothing
from dragoman.reading.reading import Reading

MOST_ITEMS = 8
_STRENGTH = (TruthMode.UNSUPPORTED, TruthMode.CLARIFICATION_REQUIRED, TruthMode.LIMITED, TruthMode.CONFIRMED)


class Recalled(Record, frozen=True):
    """What is said of the past: the weakest answer it speaks of decides how sure it sounds."""

    weakest: AnswerObject
    message: str


def recall(answers: tuple[AnswerObject, ...], reading: Reading, wording: Wording) -> Recalled | None:
    """A recap of `answers`, oldest first; None where nothing was ever found out."""
    grounded = [answer for answer in answers if answer.grounded]
    if not grounded:
        return None
    asked_for = _meant(answers, reading, wording)
    say = wording.phrases.say
    lead = ""
    if asked_for is not None:
        found = [answer for answer in asked_for if answer.grounded]
        if found:
            turns = ", ".join(str(answer.turn_index) for answer in found[-MOST_ITEMS:])
            lead = say("recap_yes", turns=turns, subject=found[-1].subject)
            answers, grounded = tuple(asked_for), found
        else:
            lead = say("recap_no")
    elif reading.anaphor:
        earlier = _repeats(answers)
        if earlier is not None:
            lead = say("recap_yes", turns=str(earlier.turn_index), subject=earlier.subject)
    shown = answers[-MOST_ITEMS:]
    items = "; ".join(_item(answer, wording) for answer in shown)
    if len(answers) > len(shown):
        items += say("recap_more", n=len(answers) - len(shown))
    # A recap sounds no surer than the weakest answer in it.
    weakest = min(grounded, key=lambda answer: _STRENGTH.index(answer.truth_mode))
    return Recalled(weakest, lead + say("recap", items=items))


def _meant(
    answers: tuple[AnswerObject, ...], reading: Reading, wording: Wording
) -> list[AnswerObject] | None:
    """The answers a recap asks for by name; None where it names nothing."""
    verbs = set(reading.verbs)
    names = {ref.name for ref in reading.entities} | {ref.name for refs in reading.objects for ref in refs}
    # A word nobody knows may be what is asked about: "did we discuss payroll?" gets a no, not a list of
    # everything.
    unknown = [word for word in reading.uncovered if not says_nothing(word, reading.language)]
    if not verbs and not names and not unknown:
        return None
    found = [answer for answer in answers if answer.route in verbs or names & _named(answer)]
    if found or verbs or names:
        return found
    # Over tables nobody has declared the words: the schema knows its own. Imported for such a recap alone: it
    # brings a planner along.
    from dragoman.answering.recalled_tables import recalled

    # As they were written: a name may look like a slip to whoever does not know it.
    written = {read: as_written for as_written, read in reading.corrections}
    asked = " ".join(written.get(word, word) for word in unknown)
    over_tables = recalled(asked, answers, wording.catalog)
    return found if over_tables is None else over_tables


def _named(answer: AnswerObject) -> set[str]:
    """What an answer speaks of: the names in its program, and the first cells of its rows."""
    bound = {argument.display for statement in answer.program for argument in statement.arguments}
    return bound | {str(row[0]) for row in answer.rows if row}


def _repeats(answers: tuple[AnswerObject, ...]) -> AnswerObject | None:
    """The earlier answer with the program of the last one."""
    last = next((answer for answer in reversed(answers) if answer.grounded), None)
    if last is None:
        return None
    return next((a for a in answers if a.program == last.program and a.ref != last.ref), None)


def _item(answer: AnswerObject, wording: Wording) -> str:
    say = wording.phrases.say
    if not answer.grounded:
        return say("recap_refused", turn=answer.turn_index, subject=answer.subject or answer.route or "?")
    return say(
        "recap_item",
        turn=answer.turn_index,
        subject=answer.subject or answer.route,
        finding=wording.finding(answer),
        truth=say(f"truth_{answer.truth_mode}"),
    )

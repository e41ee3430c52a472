"""What becomes of a text that need not stand in the data: it is what a column must be, hold or begin with."""

from collections.abc import Iterator

from dragoman.planning.tables.partial_reading import Condition, Draft, Waiting
from dragoman.planning.tables.schema_names import Thing
from dragoman.planning.tables.scoped_message import ScopedMessage
from dragoman.planning.tables.weights import Feature
from dragoman.planning.tables.words import Kind, Token


def after_text(message: ScopedMessage, draft: Draft, token: Token) -> Iterator[Draft]:
    """The text speaks of the column named before it, of one to come, or of a name."""
    spelled: list[Feature] = (
        [] if token.kind is Kind.QUOTED else [("literal", 1.0), ("literal.long", float(len(token.text) > 2))]
    )
    operation = _operation(draft)
    for subject in _subjects(draft):
        role = "quoted.held" if subject is draft.held else "quoted.last"
        yield message.gained(
            draft,
            [(role, 1.0), (f"quoted.{operation}", 1.0), (f"quoted@{draft.zone}", 1.0), *spelled],
            conditions=(*draft.conditions, _condition(draft, subject, operation, token)),
            held=None,
            last=subject,
            waiting=Waiting(),
            notes=(*draft.notes, f"{token.text} = {subject.full_name}"),
        )
    waiting = draft.waiting.also(text=token.text)
    yield message.gained(draft, [("quoted.wait", 1.0), *spelled], waiting=waiting)
    if draft.held:
        return
    for thing in message.columns:
        if thing.is_text and ("name" in thing.words or "titl" in thing.words):
            yield message.gained(
                draft,
                [("quoted.name", 1.0), (f"quoted.{operation}", 1.0), *spelled],
                conditions=(*draft.conditions, _condition(draft, thing, operation, token)),
                waiting=Waiting(),
                last=thing,
            )


def _operation(draft: Draft) -> str:
    if not draft.waiting.like and draft.waiting.either and draft.conditions:
        # "Contains a or b": what was said of the first holds of the second.
        return draft.conditions[-1].operation
    return draft.waiting.like or "equal"


def _subjects(draft: Draft) -> list[Thing]:
    """The columns that were named before it, each once: the one in hand, and that of the last condition."""
    named = [draft.held or draft.last, draft.conditions[-1].thing if draft.conditions else None]
    columns = dict.fromkeys(each for each in named if each is not None)
    return [each for each in columns if each.is_text or each.is_date]


def _condition(draft: Draft, thing: Thing, operation: str, token: Token) -> Condition:
    return Condition(thing, operation, (token.text,), draft.waiting.negative, draft.waiting.either)

"""What a message is by itself, before anything asks how it relates to the session."""

from dragoman.contracts.vocabulary import Signal
from dragoman.reading.cues import asks_else
from dragoman.reading.reading import MentionKind, Reading


def message_signals(reading: Reading, anchor: str) -> tuple[Signal, ...]:
    """What the message says by itself. `anchor` is the kind of entity that a slice belongs to."""
    signals: list[Signal] = []
    if reading.phrase is not None:
        return (reading.phrase,)
    if reading.wants_write:
        return (Signal.WRITE_REQUEST,)
    if reading.extend is not None:
        return (Signal.EXTEND,)
    if reading.recap and not reading.actions:
        signals.append(Signal.RECAP)
    if reading.meta is not None:
        signals.append(Signal.ABOUT_ANSWER)
    if reading.verbs:
        signals.append(Signal.REQUEST)
    elif reading.chooses_scope and reading.entity(anchor) is not None:
        signals.append(Signal.SCOPE_CHOICE)
    elif reading.entities or reading.periods or reading.widen or _asks_again(reading):
        signals.append(Signal.SHIFT)
    if reading.objects:
        signals.append(Signal.OBJECT_NAMED)
    if reading.picks:
        signals.append(Signal.OBJECT_PICKED)
    if reading.actions:
        signals.append(Signal.ACTION)
    if reading.anaphor:
        signals.append(Signal.ANAPHOR)
    if reading.uncovered:
        signals.append(Signal.UNCOVERED)
    if not signals and reading.affirm is not None:
        signals.append(Signal.CHAT)
    return tuple(signals)


def _asks_again(reading: Reading) -> bool:
    """Whether the slice in hand is asked for once more, and nothing else."""
    other = reading.objects or reading.picks or reading.actions or reading.recap or reading.anaphor
    if not reading.carries_date or other or reading.meta is not None:
        return False
    return not any(
        asks_else(word, reading.language)
        for mention in reading.of_kind(MentionKind.FILLER)
        for word in mention.text.split()
    )

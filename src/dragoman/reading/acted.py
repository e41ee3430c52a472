"""An action as the message that it stands for, read already: no word of it can be taken for anything else."""

from collections.abc import Mapping
from typing import Final

from dragoman.contracts.actions import Action, Choose, Confirm, Edit, Escape, Resolve, Search, SelectRow
from dragoman.contracts.vocabulary import Notation, Signal
from dragoman.language.oml.oml_reader import read_oml
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.locales.registry import FALLBACK
from dragoman.reading.hand_written import HandWritten
from dragoman.reading.message import Message
from dragoman.reading.reading import Mention, MentionKind, Pick, Reading
from dragoman.reading.signals import message_signals

_SIGNALS: Final[Mapping[Escape, Signal]] = {
    Escape.CLEAR: Signal.ESCAPE_CLEAR,
    Escape.UNDO: Signal.ESCAPE_UNDO,
    Escape.CANCEL: Signal.ESCAPE_CANCEL,
    Escape.HELP: Signal.ESCAPE_HELP,
    Escape.SKIP: Signal.ESCAPE_SKIP,
    Escape.CREATE_NEW: Signal.ESCAPE_CREATE,
    Escape.SEARCH_AGAIN: Signal.ESCAPE_SEARCH,
    Escape.NONE_OF_THESE: Signal.ESCAPE_NONE,
    Escape.RUN: Signal.RUN,
}


def acted(action: Action, text: str, language: str, anchor: str) -> Message:
    """The message of an action, in the language of the conversation: a button has none of its own."""
    language = language or FALLBACK
    match action:
        case Edit(notation=notation):
            written = _written(text, notation)
            return Message(Reading(language), (Signal.ESCAPE_EDIT,), written, text)
        case Escape():
            reading = Reading(language, phrase=_SIGNALS[action])
        case Confirm(yes=yes):
            reading = Reading(language, affirm=yes)
        case Choose(place=place):
            reading = Reading(language, picks=(Pick(place),), choice=True)
        case SelectRow(row=row):
            # Planners that look at the words see that all of them are the place of the row.
            whole = Mention(MentionKind.ORDINAL, 0, len(text), text, str(row))
            reading = Reading(language, picks=(Pick(row),), mentions=(whole,))
        case Resolve() | Search():
            return Message(Reading(language), (Signal.FITS_CLARIFICATION,), text=text)
    return Message(reading, message_signals(reading, anchor), text=text)


def _written(text: str, notation: Notation) -> HandWritten:
    read = read_verbs if notation is Notation.VERBS else read_oml
    return HandWritten(read(Source(text)).statements, notation)

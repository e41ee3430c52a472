"""What each move does. Which class takes which move is data: `session.moves`."""

from collections.abc import Callable, Mapping
from typing import Final

from dragoman.answering import creations, moves, resolutions, teachings, write_questions, writes
from dragoman.answering.boundaries import lack
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.state_help import offer_help
from dragoman.contracts.vocabulary import Move

STEPS: Final[Mapping[Move, Callable[[TurnContext], Conclusion]]] = {
    Move.TALK: moves.talk,
    Move.ABOUT_ANSWER: moves.about_answer,
    Move.RECAP: moves.recapped,
    Move.LACK: lack,
    Move.CLEAR: moves.clear,
    Move.CANCEL: moves.cancel,
    Move.UNDO: moves.undo,
    Move.EDIT: moves.edit,
    Move.HELP: offer_help,
    Move.NONE: creations.none_of_these,
    Move.RESOLVE: resolutions.resume,
    Move.SKIP: resolutions.skip,
    Move.CREATE: resolutions.create,
    Move.SEARCH: resolutions.search,
    Move.EXTEND: writes.extend,
    Move.CONFIRM: creations.confirm,
    Move.ASK_TO_WRITE: write_questions.ask_to_write,
    Move.TEACH: teachings.teach,
}
"""Every move but ANSWER and RUN, whose stages stand in `dragoman.turn`."""

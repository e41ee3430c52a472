"""What a dialogue that is held gives otherwise than it is written."""

from dragoman.conversation_tests.dialogue import Dialogue
from dragoman.conversation_tests.places import Place
from dragoman.conversation_tests.runner import run_dialogues


def told_otherwise(dialogue: Dialogue, place: Place) -> list[str]:
    return [
        f"{tested.line.turn} {tested.line.user!r} {difference.place}: "
        f"expected {difference.expected}, got {difference.got} ({tested.line.message or tested.line.error})"
        for tested in run_dialogues([dialogue], place)
        for difference in tested.differences
    ]

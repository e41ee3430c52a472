"""What of a model's text is meant for us: thoughts, and channels other than the answer's, are passed over.

Marks count only between values. Inside a string they are text like any other.
"""

import re

from dragoman.contracts.record import Record
from dragoman.guards.json_text import tokens

_NAMES = r"(?:think(?:ing)?|thoughts?|reasoning)"

# The next thing that matters between values: a thought begins or ends, a channel begins, a value may begin.
NEXT = re.compile(
    rf"""
      (?P<thought><{_NAMES}\b[^<>]{{0,200}}(?<!/)>|\[THINK\]|◁think▷)
    | (?P<thought_end></{_NAMES}\s*>|\[/THINK\]|◁/think▷)
    | (?P<channel><\|channel\|>)
    | (?P<value>{tokens.OPENING.pattern})
    """,
    re.VERBOSE | re.IGNORECASE,
)
_THOUGHT_END = re.compile(rf"</{_NAMES}\s*>|\[/THINK\]|◁/think▷", re.IGNORECASE)
_CHANNEL_NAME = re.compile(r"\s*(\w+)")
_CHANNEL_END = re.compile(r"<\|(?:end|start|channel|return|call)\|>")

# A chat template whose marks were lost on the way leaves the names of the channels in the text.
_BARE_CHANNELS = re.compile(r"\s*(?:analysis|commentary).*?assistantfinal", re.DOTALL)
FINAL_CHANNEL = "final"


class Passages(Record, frozen=True):
    """Where to begin, and where the last thought may end: what stands before a lone end must be forgotten."""

    start: int
    last_end: int


def begin(text: str) -> Passages:
    bare = _BARE_CHANNELS.match(text) if "final" in text else None
    last = -1
    for end in _THOUGHT_END.finditer(text):
        last = end.start()
    return Passages(bare.end() if bare else 0, last)


def after_thought(text: str, at: int) -> int:
    """The end of the thought that begins before `at`; a thought that does not end takes the rest."""
    end = _THOUGHT_END.search(text, at)
    return end.end() if end else len(text)


def after_channel(text: str, at: int) -> int:
    """Behind the head of the answer's channel, or behind the whole of another one."""
    name = _CHANNEL_NAME.match(text, at)
    if name and name[1].lower() == FINAL_CHANNEL:
        return name.end()
    end = _CHANNEL_END.search(text, at)
    return end.start() if end else len(text)

"""Messages that mean something as a whole: an escape, a yes, a no."""

from dragoman.contracts.vocabulary import Signal
from dragoman.reading.phrase_match import Message
from dragoman.reading.phrases import Gap, Match, Meaning
from dragoman.reading.reading import MentionKind

_NO = Meaning(MentionKind.AFFIRMATION, "no")


def whole_meaning(message: Message) -> tuple[Signal | None, bool | None]:
    """An escape, or a yes or no, where nothing but polite words stands around it.

    A question about an escape is none: "how do I cancel?" does not cancel.
    """
    tokens = message.tokens
    polite = {
        i for i, token in enumerate(tokens) if any(token.form in v.polite for v in message.vocabularies)
    }
    matches = sorted(_matches(message), key=lambda one: (-len(one.words), one.words, one.meaning))
    rest = {i for i in range(len(tokens)) if i not in polite}
    for one in matches:
        if one.meaning.kind is MentionKind.ESCAPE and rest <= set(one.words):
            return Signal(one.meaning.means), None
    longest: dict[int, str] = {}
    for one in matches:
        for word in one.words if one.meaning.kind is MentionKind.AFFIRMATION else ():
            longest.setdefault(word, one.meaning.means)
    if not longest or not rest <= longest.keys():
        return None, None
    said = {longest[word] for word in longest if word in rest or not rest}
    return None, said == {"yes"} if len(said) == 1 else None


def opens_with_no(text: str, message: Message) -> bool:
    """Whether a message begins with a no that stands for itself: no, Beta Retail."""
    tokens = message.tokens
    if len(tokens) < 2 or "," not in text[tokens[0].end : tokens[1].start]:
        return False
    return any(one.words == (0,) and one.meaning == _NO for one in _matches(message))


def _matches(message: Message) -> list[Match]:
    """Letter by letter, but for endings where they are glued onto words."""
    none = [Gap.NONE] * len(message.tokens)
    return [
        one
        for v in message.vocabularies
        for one in v.wholes.matches(message.tokens, message.keys, none, lambda place, kind: 0)
        if v.language.glued or one.exact == len(one.words)
    ]

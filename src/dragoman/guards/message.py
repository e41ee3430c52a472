"""What may be taken as a message: text a person could have typed, of a size a person could have meant."""

import unicodedata

from dragoman.contracts.errors import InputControlCharacters, InputEmpty, InputNotText, InputTooLong

MAX_CHARACTERS = 20_000

_HARMLESS_CONTROLS = frozenset("\n\r\t")


def accept_message(message: str | bytes) -> str:
    """The message as text without white space around it, or a refusal that says what is wrong where."""
    if not isinstance(message, str | bytes):
        raise InputNotText("the message is not a text", hint="send a string, or bytes in UTF-8")
    if isinstance(message, bytes) and len(message) > 4 * MAX_CHARACTERS:
        raise InputTooLong(
            f"the message has {len(message):,} bytes; {MAX_CHARACTERS:,} characters are taken",
            hint="ask a shorter question; data belongs in a file or a table",
            limit=MAX_CHARACTERS,
        )
    text = _decoded(message)
    if len(text) > MAX_CHARACTERS:
        raise InputTooLong(
            f"the message has {len(text):,} characters; at most {MAX_CHARACTERS:,} are taken",
            hint="ask a shorter question; data belongs in a file or a table",
            characters=len(text),
            limit=MAX_CHARACTERS,
        )
    for position, character in enumerate(text):
        if unicodedata.category(character) == "Cc" and character not in _HARMLESS_CONTROLS:
            raise InputControlCharacters(
                f"the message has the control character U+{ord(character):04X} at position {position + 1}",
                hint="remove it and ask again",
                position=position + 1,
            )
    text = text.strip()
    if not text:
        raise InputEmpty("the message is empty", hint='ask something, for example "help"')
    return text


def _decoded(message: str | bytes) -> str:
    try:
        text = message.decode("utf-8") if isinstance(message, bytes) else message
        text.encode("utf-8")
    except UnicodeDecodeError as error:
        raise _not_text(error.start) from error
    except UnicodeEncodeError as error:
        raise _not_text(error.start) from error
    return text


def _not_text(position: int) -> InputNotText:
    return InputNotText(
        f"the message is not valid UTF-8 at position {position + 1}",
        hint="send it as UTF-8 text",
        position=position + 1,
    )

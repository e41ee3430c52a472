"""Where something ends that is passed over unread."""

from dragoman.language.verbs import scanner
from dragoman.language.verbs.oddities import string_at
from dragoman.language.verbs.scanner import RUN, TOKEN, starts_line


def end_of_nest(text: str, position: int) -> int:
    """Where the bracket before this place is closed again, or a statement begins, or the text ends."""
    depth = 1
    while depth and (token := TOKEN.match(text, position)) is not None:
        start, position = position, token.end()
        match token.lastindex:
            case scanner.OPEN:
                if _begins_statement(text, position - 1):
                    return start
                depth += 1
            case scanner.CALL:
                if _begins_statement(text, token.start(scanner.CALL) - 1):
                    return start
                depth += 1
            case scanner.CLOSE:
                depth -= 1
            case scanner.END:
                return position
            case scanner.ODD:
                position = end_of_odd(text, position - 1)
    return position


def _begins_statement(text: str, bracket: int) -> bool:
    return text[bracket] == "(" and starts_line(text, bracket)


def end_of_odd(text: str, start: int) -> int:
    """Where a text ends, or a run of characters that is no token."""
    if text[start] == '"':
        return string_at(text, start).end
    run = RUN.match(text, start)
    return run.end() if run else start + 1

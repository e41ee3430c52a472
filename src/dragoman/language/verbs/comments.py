"""Comments: one line each, of characters that can be seen.

What is read and what is printed go through the same function, so that a comment with control characters or
hidden direction marks shows them, and a name with a line break in it stays on its line.
"""

from dragoman.language.verbs.strings import visible


def comment_line(text: str) -> str:
    """A comment's text as it is kept: other white space as spaces, what cannot be seen as its escape."""
    if text.isprintable():
        return text.rstrip()
    return "".join(
        " " if c.isspace() and c != "\t" else c if c == "\t" else visible(c) for c in text
    ).rstrip()


def comment_text(raw: str) -> str:
    """The text of a comment, given what stands after its semicolon."""
    return comment_line(raw.removeprefix(" "))


def print_comment(text: str) -> str:
    """A comment that reads back as its text; a second semicolon stays beside the first."""
    line = comment_line(text)
    return f"; {line}" if line and line[0] != ";" else f";{line}"

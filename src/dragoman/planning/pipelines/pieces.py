"""A message for a pipeline as pieces: paths, quoted names and connections as they are written, then words."""

import re
from typing import Final, NamedTuple

from dragoman.reading.tokens import Token, tokens_of

_ENDINGS: Final = r"csv|tsv|parquet|pq|jsonl|ndjson|json|xlsx|xls|pdf|xml|oml|yaml|yml|verbs|gz|zst|txt|zip"
_ATOM: Final = re.compile(
    rf"""(?P<quoted>"[^"\n]{{1,200}}"|“[^”\n]{{1,200}}”|«[^»\n]{{1,200}}»|`[^`\n]{{1,200}}`|(?<!\w)'[^'\n]{{1,200}}'(?!\w))
    |(?P<url>\b[a-z][a-z0-9+.-]*://[^\s,;]+)
    |(?P<cron>(?<![\w*/,-])(?:[\d*/,-]+[ ]){{4}}[\d*/,-]+(?![\w*/,-]))
    |(?P<clock>(?<!\d)(?:[01]?\d|2[0-3]):[0-5]\d(?!\d))
    |(?P<arrow>-+>|=>|→)
    |(?P<at>(?<![\w.@/])@[A-Za-z_][A-Za-z0-9_-]*(?:\.[A-Za-z_][A-Za-z0-9_-]*)?)
    |(?P<path>(?<![\w@])(?:[\w.~-]*/)*[\w][\w.-]*\.(?:{_ENDINGS})(?:\.gz|\.zst)?(?![A-Za-z0-9_]))
    |(?P<folder>(?<![\w@])(?:[~.]{{0,2}}/)?[\w.-]+(?:/[\w.-]+)*/(?![\w])|(?<![\w@<])(?:\.{{1,2}}|~)?/[\w./-]*[\w]|(?<![\w@])[A-Za-z_][\w.-]*(?:/[\w.-]+)+)""",
    re.VERBOSE | re.IGNORECASE,
)
_MARK: Final = "qzatom"
_JOINED: Final = re.compile(r"[\w.-]*\w")
_GLUED: Final = re.compile(r"[^\uac00-\ud7a3]+")
_SIGN: Final = re.compile(r"[;|,:^~\t]|\\t")


class Atom(NamedTuple):
    """A piece that is taken as it is written."""

    kind: str
    text: str
    """Without its quotes or its @."""
    written: str


class Pieces(NamedTuple):
    """The words of a message, with atoms as words of their own."""

    text: str
    """The message with a made-up word for each atom."""
    tokens: tuple[Token, ...]
    atoms: tuple[Atom, ...]
    mark: str = _MARK
    """What the made-up words begin with: nothing that was typed does."""

    def atom(self, at: int) -> Atom | None:
        form = self.tokens[at].form if 0 <= at < len(self.tokens) else ""
        return self.atoms[int(form.removeprefix(self.mark))] if form.startswith(self.mark) else None

    def raw(self, at: int) -> str:
        """A word as it was written, with what is joined to it by dashes, dots and underscores."""
        atom = self.atom(at)
        if atom is not None:
            return atom.text
        return self._joined(at) or self.tokens[at].form

    def _joined(self, at: int) -> str:
        found = _JOINED.match(self.text, self.tokens[at].start)
        whole = found.group() if found is not None else ""
        # An ending that is glued on in other letters is no part of a name: csv로.
        own = _GLUED.match(whole) if whole[:1].isascii() else None
        return own.group() if own is not None else whole

    def end_of_raw(self, at: int) -> int:
        """The place behind the words that `raw` has."""
        if self.atom(at) is not None:
            return at + 1
        stop = max(self.tokens[at].start + len(self._joined(at)), self.tokens[at].end)
        end = at + 1
        while end < len(self.tokens) and self.tokens[end].start < stop:
            end += 1
        return end

    def rest(self, used: set[int]) -> str:
        """The message without some of its words; atoms that stay are written as they were."""
        text = self.text
        for at in sorted(used, reverse=True):
            token = self.tokens[at]
            text = text[: token.start] + " " + text[token.end :]
        for number, atom in reversed(list(enumerate(self.atoms))):
            text = text.replace(f"{self.mark}{number}", atom.written)
        text = re.sub(r"\s+", " ", text)
        text = re.sub(r"(?:\s*[,;:.!?]\s*)+$", "", text)
        text = re.sub(r"^(?:\s*[,;:.!?]\s*)+", "", text)
        return re.sub(r"\s+([,.!?])", r"\1", text).strip(" -–—'\"")

    def sign_behind(self, at: int) -> str:
        """The punctuation behind a word, where it may be a delimiter that is written as it is."""
        atom = self.atom(at + 1)
        if atom is not None and atom.kind == "quoted":
            return _unescaped(atom.text) if _SIGN.fullmatch(atom.text) else ""
        end = self.tokens[at + 1].start if at + 1 < len(self.tokens) else len(self.text)
        between = self.text[self.tokens[at].end : end]
        found = _SIGN.search(between.strip(" =\n"))
        return _unescaped(found.group()) if found is not None else ""


def _unescaped(sign: str) -> str:
    return "\t" if sign == "\\t" else sign


def pieces_of(text: str) -> Pieces:
    atoms: list[Atom] = []
    mark = _MARK
    while mark in text.casefold():
        mark += _MARK[-1]

    def taken(found: re.Match[str]) -> str:
        written = found.group()
        kind = found.lastgroup or "quoted"
        plain = written[1:-1] if kind == "quoted" else written.removeprefix("@") if kind == "at" else written
        if kind in ("path", "folder"):
            plain = plain.rstrip(".,;:")
        if kind == "quoted" and re.fullmatch(
            rf"[\w./~-]+\.(?:{_ENDINGS})(?:\.gz|\.zst)?", plain, re.IGNORECASE
        ):
            kind = "path"
        atoms.append(Atom(kind, plain, written))
        return f" {mark}{len(atoms) - 1} "

    masked = _ATOM.sub(taken, text)
    return Pieces(masked, tuple(tokens_of(masked)), tuple(atoms), mark)

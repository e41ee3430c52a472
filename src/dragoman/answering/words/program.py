"""Every program in plain words: one by one, or several that must not read alike."""

from collections import Counter
from collections.abc import Iterable, Sequence

from dragoman.answering.words.names import in_words
from dragoman.answering.words.places import place_of
from dragoman.answering.words.speaker import Known, Speaker
from dragoman.answering.words.statement import Told
from dragoman.answering.words.values import value_in_words
from dragoman.answering.words.vocabulary import words_of
from dragoman.catalog.query_reads import is_query, query_in
from dragoman.contracts.program import Call, Map, Program, Statement, Symbol, Value
from dragoman.contracts.program import Sequence as Listed
from dragoman.language.verbs.printer import print_line
from dragoman.tables.verbs import VERBS

_TABLE_VERBS = VERBS | {"share"}
_LONGEST_QUERY = 80
"""How much of a typed query a sentence has room for."""


def program_in_words(program: Program, known: Known, language: str) -> str:
    """A program as a short noun phrase: `number of orders where status is open`."""
    return _said(program, known, language)


def programs_in_words(programs: Sequence[Program], known: Known, language: str) -> tuple[str, ...]:
    """Several programs, each as short as it can be without reading like another one.

    What reads alike is said again with all that it shows, then with the names of the database, quoted. What
    reads alike even then has the program itself behind it: a person who chooses between two must see where
    they differ."""
    said = [_said(program, known, language) for program in programs]
    for place in _alike(said):
        said[place] = _said(programs[place], known, language, whole=True)
    for place in _alike(said):
        said[place] = _said(programs[place], known, language, exact=True)
    for place in _alike(said):
        said[place] = f"{said[place]} ({print_line(programs[place])})"
    return tuple(said)


def _alike(said: list[str]) -> list[int]:
    """The places of texts that are there more than once."""
    times = Counter(said)
    return [place for place, text in enumerate(said) if times[text] > 1]


def _said(program: Program, known: Known, language: str, *, exact: bool = False, whole: bool = False) -> str:
    steps = {statement.binds: statement for statement in program if statement.binds}
    speaker = Speaker(words_of(language), known, exact, whole, steps, tell=_inner)
    inside = _named_in(program)
    # A step whose value another one takes is said there.
    shown = [each for each in program if each.binds not in inside] or list(program)
    return speaker.put("then").join(_statement(speaker, statement) for statement in shown)


def _inner(speaker: Speaker, statement: Statement) -> str:
    """A statement whose value another one takes."""
    return _statement(speaker, statement, inside=True)


def _statement(speaker: Speaker, statement: Statement, *, inside: bool = False) -> str:
    title = speaker.known.title_of(statement)
    if title:
        return _of_pack(speaker, title, statement)
    domain, _, action = statement.verb.partition(".")
    graph = speaker.known.graph_of(statement)
    place = place_of(graph, domain)
    if action not in _TABLE_VERBS and is_query(statement):
        return speaker.put("query", sql=_shortened(query_in(statement)))
    if action not in _TABLE_VERBS or (graph is not None and place.table is None):
        return print_line((statement,))
    return Told(speaker, place, statement, inside=inside).sentence()


def _shortened(sql: str) -> str:
    line = " ".join(sql.split())
    return line if len(line) <= _LONGEST_QUERY else f"{line[: _LONGEST_QUERY - 1]}…"


def _of_pack(speaker: Speaker, title: str, statement: Statement) -> str:
    place = place_of(None, statement.verb)
    said = [
        speaker.put(
            "pack_argument",
            name=in_words(argument.name),
            value=argument.display or value_in_words(speaker, place, argument.value),
        )
        for argument in statement.arguments
    ]
    listed = speaker.put("comma").join(said)
    return speaker.put("pack_verb", title=title, arguments=listed) if said else title


def _named_in(program: Program) -> set[str]:
    """The symbols that stand inside the arguments of table verbs: steps that are said in place."""
    found: set[str] = set()
    for statement in program:
        if statement.verb.partition(".")[2] in _TABLE_VERBS:
            found.update(_symbols(each.value for each in statement.arguments if each.name != "needs"))
    return found


def _symbols(values: Iterable[Value]) -> set[str]:
    found: set[str] = set()
    waiting = [*values]
    while waiting:
        match waiting.pop():
            case Symbol(name=name):
                found.add(name)
            case Listed(items=items):
                waiting.extend(items)
            case Map(entries=entries):
                waiting.extend(entry.value for entry in entries)
            case Call(statement=statement):
                waiting.extend(argument.value for argument in statement.arguments)
    return found


__all__ = ["program_in_words", "programs_in_words"]

"""Between the notations: a program of one as a program of the other, with nothing lost.

OML says of each step its mode; verb notation leaves it out where it is the verb's effect.
"""

from collections.abc import Iterator, Mapping

from dragoman.contracts.program import (
    Argument,
    Call,
    Diagnostic,
    Map,
    Program,
    Sequence,
    Statement,
    Symbol,
    Text,
    Value,
)
from dragoman.contracts.record import Record
from dragoman.contracts.verb import Effect
from dragoman.language.document import ArgumentSpans, Document, Extent, StatementSpans, ValueSpans
from dragoman.language.nested_calls import implicit_id, lift_document
from dragoman.language.oml.findings import Findings
from dragoman.language.oml.head import check_head
from dragoman.language.oml.scalars import REFERENCE
from dragoman.language.oml.steps import MODES
from dragoman.language.oml.values import MAX_KEY
from dragoman.language.oml.yaml_events import MAX_DEPTH
from dragoman.language.parameters import PIPELINE, implied_name
from dragoman.language.program_names import HINT, IDENTIFIER, is_kebab
from dragoman.language.source import Source

_AROUND = 4
"""How deep a step's values already stand in OML: in its config, its map, the list, the document."""


class Conversion(Record, frozen=True):
    """A program for the other notation, whole when there are no diagnostics."""

    statements: Program
    comments: tuple[str, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.diagnostics


def to_oml(document: Document, source: Source, effects: Mapping[str, Effect]) -> Conversion:
    """A document as statements for `print_oml`: nested calls lifted, every mode said."""
    findings = Findings(source)
    if not _is_shallow(document, findings):
        return Conversion((), (), findings.diagnostics())
    lifted = lift_document(document)
    first = 1 if lifted.statements and lifted.statements[0].verb == PIPELINE else 0
    if first:
        _check_head(lifted, findings)
    pairs = list(zip(lifted.statements, lifted.spans, strict=True))
    steps = [_OmlStep(*pair, number, findings) for number, pair in enumerate(pairs[first:], 1)]
    if not steps:
        _refuse(findings, (0, len(source.text)), "a pipeline has at least one step", "add a statement")
    _check_ids(steps, findings)
    head = lifted.statements[:first] or (_implied_head(lifted.statements),)
    statements = (*head, *(step.converted(effects) for step in steps))
    return Conversion(statements, lifted.comments, findings.diagnostics())


def _implied_head(steps: Program) -> Statement:
    """A name is all that OML wants of a program that has no head: what a conversation writes has none."""
    return Statement(PIPELINE, (Argument("name", Text(implied_name(steps))),))


def to_verbs(document: Document, source: Source, effects: Mapping[str, Effect]) -> Conversion:
    """A document as statements for the verb notation's printer: modes left out that the verb implies."""
    findings = Findings(source)
    for statement, spans in zip(document.statements, document.spans, strict=True):
        for argument, places in zip(statement.arguments, spans.arguments, strict=True):
            _check_identifiers(argument, places, findings)
    lifted = lift_document(document)
    statements = tuple(_without_mode(statement, effects) for statement in lifted.statements)
    return Conversion(statements, lifted.comments, findings.diagnostics())


def _refuse(findings: Findings, extent: Extent, message: str, hint: str) -> None:
    findings.error("not_convertible", extent, message, hint)


def _check_head(document: Document, findings: Findings) -> None:
    hint = f'begin with ({PIPELINE} :name "export-users")'
    statement, spans = document.statements[0], document.spans[0]
    if statement.argument("name") is None:
        _refuse(findings, spans.verb, "the pipeline has no name", hint)
    if statement.binds:
        _refuse(findings, spans.binds or spans.extent, "the head of a pipeline binds nothing", "remove :as")
    check_head(statement, spans, findings)
    for argument, places in zip(statement.arguments, spans.arguments, strict=True):
        for value, extent in _values(argument.value, places.value):
            if isinstance(value, Symbol | Call):
                _refuse(findings, extent, "the head of a pipeline names no step", "write a plain value")
            elif isinstance(value, Text):
                _check_text(value.value, extent, findings)


class _OmlStep:
    """A lifted statement on its way to a step."""

    def __init__(self, statement: Statement, spans: StatementSpans, number: int, findings: Findings) -> None:
        self.statement = statement
        self.spans = spans
        self.id = statement.binds or implicit_id(number)
        self._findings = findings

    def converted(self, effects: Mapping[str, Effect]) -> Statement:
        self._check()
        statement = self.statement
        mode = statement.argument("mode") or self._mode(effects)
        others = tuple(argument for argument in statement.arguments if argument.name != "mode")
        arguments = (mode, *others) if mode is not None else others
        return Statement(statement.verb, arguments, statement.binds, statement.comments, statement.closing)

    def _mode(self, effects: Mapping[str, Effect]) -> Argument | None:
        effect = effects.get(self.statement.verb)
        if effect is None:
            hint = 'add :mode "read", "transform" or "write"'
            message = f"it is not known whether {self.statement.verb} reads or writes"
            _refuse(self._findings, self.spans.verb, message, hint)
            return None
        return Argument("mode", Text(effect.value))

    def _check(self) -> None:
        findings = self._findings
        if self.statement.verb == PIPELINE:
            _refuse(
                findings, self.spans.extent, "the head of a pipeline is its first call", "move it to the top"
            )
        if not is_kebab(self.id):
            _refuse(findings, self.spans.binds or self.spans.verb, f"@{self.id[:60]} is not kebab-case", HINT)
        for argument, places in zip(self.statement.arguments, self.spans.arguments, strict=True):
            self._check_argument(argument, places)

    def _check_argument(self, argument: Argument, places: ArgumentSpans) -> None:
        findings, value = self._findings, argument.value
        if argument.name in ("id", "as"):
            message = f":{argument.name} is a reserved name"
            _refuse(findings, places.name, message, "name the step with :as @name")
        if len(argument.name) > MAX_KEY:
            _refuse(findings, places.name, f"a name has at most {MAX_KEY} characters", "give it a short name")
        if argument.name == "mode" and not (isinstance(value, Text) and value.value in MODES):
            message, hint = "this is not a mode", 'write "read", "transform" or "write"'
            _refuse(findings, places.value.extent, message, hint)
        if argument.name == "needs" and not _is_needs(value):
            message, hint = "needs is a list of symbols, each once", "write :needs [@extract-users]"
            _refuse(findings, places.value.extent, message, hint)
        for part, extent in _values(value, places.value):
            if isinstance(part, Symbol) and not is_kebab(part.name):
                _refuse(findings, extent, f"@{part.name[:60]} is not kebab-case", HINT)
            elif isinstance(part, Text):
                _check_text(part.value, extent, findings)
            elif isinstance(part, Map) and any(len(entry.key) > MAX_KEY for entry in part.entries):
                _refuse(findings, extent, f"a key has at most {MAX_KEY} characters", "give it a short name")


def _check_text(text: str, extent: Extent, findings: Findings) -> None:
    if REFERENCE.match(text):
        message = "in OML this text names the result of a step"
        _refuse(findings, extent, message, "write the symbol, @name, or another text")
    if not text.isascii() and any("\ud800" <= character <= "\udfff" for character in text):
        _refuse(findings, extent, "half a character stands in this text", "write the whole character")


def _is_needs(value: Value) -> bool:
    if not isinstance(value, Sequence):
        return False
    names = [item.name for item in value.items if isinstance(item, Symbol)]
    return len(names) == len(value.items) == len(set(names))


def _check_ids(steps: list[_OmlStep], findings: Findings) -> None:
    seen: set[str] = set()
    for step in steps:
        if step.id in seen:
            extent = step.spans.binds or step.spans.verb
            _refuse(findings, extent, f"two steps have the id {step.id}", "rename one of them")
        seen.add(step.id)


def _is_shallow(document: Document, findings: Findings) -> bool:
    """Whether every value fits into the depth that OML has left for it."""
    before = len(findings)
    for statement, spans in zip(document.statements, document.spans, strict=True):
        for argument, places in zip(statement.arguments, spans.arguments, strict=True):
            if _depth(argument.value) > MAX_DEPTH - _AROUND:
                message = f"lists and maps stand more than {MAX_DEPTH - _AROUND} deep in each other"
                _refuse(findings, places.value.extent, message, "write it flatter")
    return len(findings) == before


def _depth(value: Value) -> int:
    """How deep lists, maps and calls stand in each other; counted without recursion."""
    deepest, pending = 0, [(value, 1)]
    while pending:
        each, depth = pending.pop()
        match each:
            case Sequence(items=items):
                inner: list[Value] = list(items)
            case Map(entries=entries):
                inner = [entry.value for entry in entries]
            case Call(statement=statement):
                inner = [argument.value for argument in statement.arguments]
            case _:
                continue
        deepest = max(deepest, depth)
        pending.extend((part, depth + 1) for part in inner)
    return deepest


def _values(value: Value, spans: ValueSpans) -> Iterator[tuple[Value, Extent]]:
    """A value and every value in it, calls not entered."""
    pending = [(value, spans)]
    while pending:
        each, where = pending.pop()
        yield each, where.extent
        match each:
            case Sequence(items=items):
                pending.extend(zip(items, where.items, strict=True))
            case Map(entries=entries):
                pending.extend(zip([entry.value for entry in entries], where.items, strict=True))
            case _:
                continue


def _check_identifiers(argument: Argument, places: ArgumentSpans, findings: Findings) -> None:
    hint = "verb notation takes ASCII letters, digits, - and _, not a digit first"
    if not IDENTIFIER.match(argument.name):
        _refuse(findings, places.name, "this key cannot be the name of an argument", hint)
    for value, extent in _values(argument.value, places.value):
        if isinstance(value, Map) and not all(IDENTIFIER.match(entry.key) for entry in value.entries):
            _refuse(findings, extent, "a key of this map cannot be a name", hint)


def _without_mode(statement: Statement, effects: Mapping[str, Effect]) -> Statement:
    """The statement without a mode that its verb implies; the mode's comments go to what follows it."""
    mode = statement.argument("mode")
    effect = effects.get(statement.verb)
    if mode is None or effect is None or mode.value != Text(effect.value):
        return statement
    said = (*mode.comments, *([mode.display] if mode.display else ()))
    others = [each for each in statement.arguments if each is not mode]
    if not others:
        closing = (*said, *statement.closing)
        return Statement(statement.verb, (), statement.binds, statement.comments, closing)
    first = others[0]
    others[0] = Argument(first.name, first.value, first.display, (*said, *first.comments))
    return Statement(statement.verb, tuple(others), statement.binds, statement.comments, statement.closing)

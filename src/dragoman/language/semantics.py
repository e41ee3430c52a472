"""The semantic stage: what the catalog knows of each statement against what the statement says."""

from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from dragoman.contracts.program import Argument, Diagnostic, Sequence, Statement, Text
from dragoman.contracts.verb import ConnectionType, ListType, ResultType, SqlType, VerbArgument, VerbSignature
from dragoman.language.catalog import CompilerCatalog, text_of
from dragoman.language.document import Document, Extent, StatementSpans
from dragoman.language.inlined_calls import MOST_CALLS, Unfit, bound_in, needs_values, with_calls
from dragoman.language.parameters import PIPELINE
from dragoman.language.source import Source
from dragoman.language.types import describe, fits, leaves

LONGEST = 100
"""Nobody misspells a name into a page, and comparing takes time in proportion to its length."""
SHOWN = 20
MOST_VERBS = 60
RESERVED = frozenset({"id", "mode", "needs", "as"})
NEEDS = ListType(ResultType())


def check_semantics(
    document: Document,
    source: Source,
    catalog: CompilerCatalog,
    signatures: Iterable[VerbSignature | None],
) -> list[Diagnostic]:
    """Everything the catalog has to say against the program, in the order of the text. `signatures` are those
    of its statements."""
    bound = bound_in(document.statements)
    found: list[Diagnostic] = []
    known: set[tuple[str, str]] = set()
    for statement, spans, signature in zip(document.statements, document.spans, signatures, strict=True):
        said = _StatementCheck(statement, spans, source, catalog, bound).findings(signature)
        # What is wrong with a call is said where it stands, and not again of what needs its value.
        again = known if needs_values(statement) else ()
        new = [each for each in said if (each.code, each.message) not in again]
        known.update((each.code, each.message) for each in new)
        found += new
    # Lifting has moved calls and arguments.
    return sorted(found, key=lambda finding: finding.span.start if finding.span else 0)


class _StatementCheck:
    """One statement under scrutiny: what it says, where, and what it is held against."""

    def __init__(
        self,
        statement: Statement,
        spans: StatementSpans,
        source: Source,
        catalog: CompilerCatalog,
        bound: Mapping[str, Statement],
    ) -> None:
        self._statement = statement
        self._bound = bound
        self._spans = spans
        self._source = source
        self._catalog = catalog

    def findings(self, signature: VerbSignature | None) -> Iterator[Diagnostic]:
        if self._statement.verb == PIPELINE:
            message = "the head of a pipeline is its first call"
            yield self._finding("misplaced_head", message, "move it to the top", self._spans.verb)
            return
        if signature is None:
            yield self._unknown_verb()
            return
        declared = {each.name: each for each in signature.arguments}
        said = [
            *self._reserved(signature),
            *(
                finding
                for index, argument in enumerate(self._statement.arguments)
                if argument.name not in RESERVED
                for finding in self._argument(signature, declared.get(argument.name), index, argument)
            ),
            *self._missing(signature),
            *self._columns(),
        ]
        yield from said
        if not said:
            yield from self._of_catalog()

    def _of_catalog(self) -> Iterator[Diagnostic]:
        """What the catalog has against a statement whose arguments fit."""
        match with_calls(self._statement, self._bound):
            case Unfit.UNBOUND:
                # A statement that needs what nobody binds, or itself, is refused by the dependency stage.
                return
            case Unfit.TOO_MANY:
                message = f"{self._statement.verb} stands for more than {MOST_CALLS} calls, written out"
                hint = "name fewer results in it, or write some of their values yourself"
                yield self._finding("too_many_calls", message, hint, self._spans.verb)
            case Statement() as whole:
                for finding in self._catalog.findings(whole):
                    place = finding.span or self._source.span(*self._spans.verb)
                    yield Diagnostic(finding.code, finding.message, finding.hint, finding.severity, place)

    def _finding(self, code: str, message: str, hint: str, extent: Extent) -> Diagnostic:
        return Diagnostic(code, message, hint, span=self._source.span(*extent))

    def _unknown_verb(self) -> Diagnostic:
        verb = self._statement.verb
        known = sorted(self._catalog.verb_names())
        domain = verb.partition(".")[0] + "."
        # A database may have thousands of tables; of a table that is there, its own verbs are meant.
        own = [each for each in known if each.startswith(domain)]
        near = get_close_matches(verb[:LONGEST], own or known, 3, 0.3 if own else 0.6)
        more = ", …" if len(known) > MOST_VERBS else ""
        listed = f"the verbs are {', '.join(known[:MOST_VERBS])}{more}"
        hint = f"did you mean {' or '.join(near)}?" if near else listed
        return self._finding("unknown_verb", f"there is no verb {verb}", hint, self._spans.verb)

    def _reserved(self, signature: VerbSignature) -> Iterator[Diagnostic]:
        """What the language itself says of a step: its mode, its needs; its id is what it binds."""
        for argument, spans in zip(self._statement.arguments, self._spans.arguments, strict=True):
            if argument.name == "mode" and argument.value != Text(signature.effect.value):
                message = f"{signature.name} is a {signature.effect} step"
                hint = f"write mode {signature.effect}, or leave the mode out in verb notation"
                yield self._finding("mode_mismatch", message, hint, spans.value.extent)
            elif argument.name == "needs" and not fits(argument.value, NEEDS):
                message = f"needs of {signature.name} does not fit"
                hint = "write a list of the steps it needs, [@extract-users]"
                yield self._finding("argument_type", message, hint, spans.value.extent)
            elif argument.name in ("id", "as"):
                message = f"{argument.name} is a reserved name"
                yield self._finding("unknown_argument", message, "name the step with :as @name", spans.name)

    def _argument(
        self, signature: VerbSignature, declared: VerbArgument | None, index: int, argument: Argument
    ) -> Iterator[Diagnostic]:
        spans = self._spans.arguments[index]
        if declared is None:
            names = [each.name for each in signature.arguments]
            near = get_close_matches(argument.name[:LONGEST], names, 1)
            hint = f"did you mean {near[0]}?" if near else f"it takes {', '.join(names)}"
            message = f"{signature.name} has no argument {argument.name}"
            yield self._finding("unknown_argument", message, hint, spans.name)
            return
        if not fits(argument.value, declared.type):
            message = f"{argument.name} of {signature.name} does not fit"
            hint = f"write {describe(declared.type)}"
            yield self._finding("argument_type", message, hint, spans.value.extent)
            return
        for value, wanted, extent in leaves(argument.value, declared.type, spans.value):
            match value, wanted:
                case Text(value=text), SqlType(condition=condition):
                    yield from self._sql(text, condition, _dialect(signature), extent)
                case Text(value=alias), ConnectionType():
                    yield from self._connection(alias, extent)

    def _sql(self, text: str, condition: bool, dialect: str, extent: Extent) -> Iterator[Diagnostic]:
        # Imported when a query is met: the parser of SQL is most of what a start would cost.
        from dragoman.guards.sql import why_not_condition, why_not_read_only

        if condition:
            reason, hint = why_not_condition(text, dialect), 'write what stands after WHERE, "age > 17"'
        else:
            reason = why_not_read_only(text, dialect)
            hint = "write one SELECT; what changes data is done by a writer step"
        if reason is not None:
            yield self._finding("sql_not_read_only", reason, hint, extent)

    def _connection(self, alias: str, extent: Extent) -> Iterator[Diagnostic]:
        known = self._catalog.connections()
        name = alias.removeprefix("@")
        if known is not None and name not in known:
            there = ", ".join(f'"@{each}"' for each in known[:SHOWN]) or "none"
            there += f" and {len(known) - SHOWN} more" if len(known) > SHOWN else ""
            near = get_close_matches(name[:LONGEST], known, 1)
            hint = f'did you mean "@{near[0]}"? there are: {there}' if near else f"there are: {there}"
            yield self._finding("unknown_connection", f"there is no connection {alias}", hint, extent)

    def _missing(self, signature: VerbSignature) -> Iterator[Diagnostic]:
        given = {argument.name for argument in self._statement.arguments}
        for declared in signature.arguments:
            if declared.required and declared.name not in given:
                message = f"{signature.name} needs {declared.name}"
                hint = f"add {declared.name}: {describe(declared.type)}"
                yield self._finding("missing_argument", message, hint, self._spans.verb)
        for group in signature.one_of:
            chosen = [name for name in group if name in given]
            if len(chosen) != 1:
                message = f"{signature.name} takes exactly one of {', '.join(group)}"
                hint = "keep one" if chosen else f"add {group[0]}"
                yield self._finding("argument_choice", message, hint, self._spans.verb)
        if signature.needs_input and not self._has_input():
            message = f"{signature.name} has nothing to work on"
            yield self._finding("missing_input", message, "name a step in needs", self._spans.verb)

    def _has_input(self) -> bool:
        needs = self._statement.argument("needs")
        # What is no list at all has been said already.
        return needs is not None and needs.value != Sequence(())

    def _columns(self) -> Iterator[Diagnostic]:
        """Columns named beside a table, where the table's schema is known."""
        table, connection = text_of(self._statement, "table"), text_of(self._statement, "connection")
        if table is None or connection is None:
            return
        known = self._catalog.columns(connection.removeprefix("@"), table)
        if known is None:
            return
        for index, argument in enumerate(self._statement.arguments):
            if argument.name not in ("columns", "primary_key"):
                continue
            for item, spans in zip(
                getattr(argument.value, "items", ()), self._spans.arguments[index].value.items, strict=False
            ):
                if isinstance(item, Text) and item.value not in known:
                    near = get_close_matches(item.value[:LONGEST], known, 1)
                    hint = f"did you mean {near[0]}?" if near else f"it has {', '.join(known)}"
                    message = f"{table} has no column {item.value}"
                    yield self._finding("unknown_column", message, hint, spans.extent)


def _dialect(signature: VerbSignature) -> str:
    return signature.dialect or signature.domain

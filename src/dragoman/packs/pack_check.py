"""Whether a pack makes sense: every finding at once, each with its place."""

from collections.abc import Iterable, Iterator

from dragoman.contracts.pack import (
    ArgumentKind,
    CoverageEntry,
    Pack,
    PackArgument,
    PackEntity,
    PackMetric,
    PackVerb,
    VerbFrame,
)
from dragoman.contracts.program import Diagnostic, Severity
from dragoman.contracts.schema import DatabaseSchema, ValueType
from dragoman.contracts.verb import Effect
from dragoman.guards.secrets import scrubbed
from dragoman.language.oml.findings import listed, nearest
from dragoman.language.records import Placed, read_placed
from dragoman.language.source import Source
from dragoman.packs.marks import Mark, Path
from dragoman.packs.metric_figures import figure_of
from dragoman.packs.missing_names import missing_in
from dragoman.packs.missing_scales import missing_scales
from dragoman.packs.name_rules import marks_of_names, marks_of_texts, marks_of_words
from dragoman.packs.policy_faults import faults_of_policy
from dragoman.packs.statements import created_key, declared_parameters, faults_of, place_of
from dragoman.tables.measures import MOST_SCALE


def check_pack(source: Source, schema: DatabaseSchema | None = None) -> tuple[Diagnostic, ...]:
    """Everything that is wrong with a pack, errors and warnings, in the order of the text.

    With a schema it is also asked whether the tables and columns exist.
    """
    placed = read_placed(source, Pack)
    if not isinstance(placed, Placed):
        return placed
    marks = list(_marks(placed.record))
    if schema is not None:
        marks += missing_in(placed.record, schema)
        marks += missing_scales(placed.record, schema)
    found = [_diagnostic(mark, placed, source) for mark in marks]
    return tuple(sorted(found, key=lambda finding: finding.span.start if finding.span else 0))


def _marks(pack: Pack) -> Iterator[Mark]:
    yield from marks_of_names(pack)
    yield from marks_of_texts(pack)
    yield from marks_of_words(pack)
    for name, entity in pack.entities.items():
        yield from _of_an_entity(pack, name, entity)
    for name, verb in pack.verbs.items():
        yield from _of_a_verb(pack, name, verb)
    yield from _of_tables(pack)
    yield from _of_metrics_and_scopes(pack)
    yield from _of_coverage(pack)
    for number, policy in enumerate(pack.policies):
        for fault in faults_of_policy(policy, pack.dialect):
            yield Mark.of_fault(fault, ("policies", number, "rows"))


def _diagnostic(mark: Mark, placed: Placed[Pack], source: Source) -> Diagnostic:
    start, end = placed.key_extent(*mark.path) if mark.at_key else placed.extent(*mark.path)
    if mark.word and (match := place_of(mark.word, source.text[start:end])):
        start, end = start + match.start(), start + match.end()
    severity = Severity.WARNING if mark.minor else Severity.ERROR
    span = source.span(start, end)
    return Diagnostic(mark.code, scrubbed(mark.message), scrubbed(mark.hint), severity, span)


def _unknown(kind: str, name: str, known: Iterable[str], path: Path) -> Mark:
    names = list(known)
    near = nearest(name, names)
    hint = f"did you mean {near}?" if near else f"there are: {listed(names)}"
    return Mark(f"unknown_{kind}", f"there is no {kind} {name!r} in the pack", hint, path)


def _of_an_entity(pack: Pack, name: str, entity: PackEntity) -> Iterator[Mark]:
    at: Path = ("entities", name)
    for other in entity.within:
        if other not in pack.entities:
            yield _unknown("entity", other, pack.entities, (*at, "within", other)).on_key()
    if entity.card:
        yield from _of_a_card(pack, name, entity.card, (*at, "card"))
    if entity.create:
        yield from _of_a_create(pack, entity, (*at, "create"))
    for column in entity.localized.values():
        if column not in {entity.display, *entity.names}:
            message = f"the column {column} is read by people but not searched"
            yield Mark("localized_not_a_name", message, "add it to names:", (*at, "localized"))


def _of_a_card(pack: Pack, name: str, card: str, at: Path) -> Iterator[Mark]:
    verb = pack.verbs.get(card)
    if verb is None:
        yield _unknown("verb", card, pack.verbs, at)
    elif verb.frame is not VerbFrame.OBJECT or verb.object != name or verb.effect is not Effect.READ:
        message = f"{card} does not show one {name}"
        yield Mark("wrong_card", message, f"name a verb with frame: object and object: {name} that reads", at)


def _of_a_create(pack: Pack, entity: PackEntity, at: Path) -> Iterator[Mark]:
    verb = pack.verbs.get(entity.create)
    if verb is None:
        yield _unknown("verb", entity.create, pack.verbs, at)
    elif verb.effect is not Effect.WRITE:
        yield Mark("wrong_create", f"{entity.create} writes nothing", "name a verb with effect: write", at)
    elif created_key(verb, entity.key, pack.dialect) is None:
        message = f"{entity.create} does not say which key the new one gets"
        hint = f"give {entity.key} a parameter in its INSERT … VALUES, of kind new-key where nobody is asked"
        yield Mark("wrong_create", message, hint, at)


def _of_a_verb(pack: Pack, name: str, verb: PackVerb) -> Iterator[Mark]:
    at: Path = ("verbs", name)
    for fault in faults_of(verb, pack.dialect):
        yield Mark.of_fault(fault, (*at, "sql"))
    for argument_name, argument in verb.arguments.items():
        yield from _of_an_argument(pack, verb, argument, (*at, "arguments", argument_name))
    yield from _of_its_frame(pack, verb, at)
    yield from _of_columns(pack, verb, at)
    parameters = len(declared_parameters(verb))
    periods = sum(each.kind is ArgumentKind.PERIOD for each in verb.arguments.values())
    dates = 0 if verb.date is None else len({"as-of": "a", "period": "ab"}[verb.date])
    if parameters < len(verb.arguments) + periods + dates:
        message = "two arguments are one parameter in SQL"
        yield Mark(
            "same_parameter", message, "a dash and an underscore are the same there", (*at, "arguments")
        )


def _of_an_argument(pack: Pack, verb: PackVerb, argument: PackArgument, at: Path) -> Iterator[Mark]:
    if argument.entity and argument.entity not in pack.entities:
        yield _unknown("entity", argument.entity, pack.entities, (*at, "entity"))
    if argument.entity and argument.options:
        yield Mark("argument_kinds", "an argument is an entity or has options", "keep one of them", at)
    if argument.kind is not ArgumentKind.TEXT and (argument.entity or argument.options):
        what = "an entity" if argument.entity else "one of some options"
        yield Mark("argument_kinds", f"{what} has no other kind", "remove kind:", (*at, "kind"))
    if len(set(argument.options)) < len(argument.options):
        yield Mark("repeated", "an option stands there twice", "keep one of them", (*at, "options"))
    if argument.kind is ArgumentKind.NEW_KEY and verb.effect is not Effect.WRITE:
        yield Mark("argument_kinds", "only a verb that writes makes a new key", "change kind:", (*at, "kind"))


def _of_its_frame(pack: Pack, verb: PackVerb, at: Path) -> Iterator[Mark]:
    if verb.object and verb.object not in pack.entities:
        yield _unknown("entity", verb.object, pack.entities, (*at, "object"))
    if verb.frame is not VerbFrame.OBJECT:
        if verb.object:
            yield Mark(
                "object_of_no_frame",
                "only an object verb has an object",
                "add frame: object",
                (*at, "object"),
            )
        if verb.frame is VerbFrame.ROOT and verb.effect is Effect.WRITE:
            message = "a verb that writes opens no root slice"
            yield Mark("root_writes", message, "write frame: none or frame: object", at).on_key()
        return
    if not verb.object:
        yield Mark("object_missing", "an object verb speaks of an entity", "add object:", at).on_key()
        return
    argument = verb.arguments.get(verb.object)
    if argument is None or argument.entity != verb.object or not argument.required:
        message = f"an object verb needs its object as an argument: {verb.object}"
        hint = f"add {verb.object}: {{entity: {verb.object}}} to arguments:"
        yield Mark("object_argument", message, hint, (*at, "object"))


def _of_columns(pack: Pack, verb: PackVerb, at: Path) -> Iterator[Mark]:
    seen: set[str] = set()
    for number, column in enumerate(verb.columns):
        place: Path = (*at, "columns", number)
        if column.name in seen:
            yield Mark(
                "repeated", f"there are two columns {column.name}", "name one otherwise", (*place, "name")
            )
        seen.add(column.name)
        if column.entity and column.entity not in pack.entities:
            yield _unknown("entity", column.entity, pack.entities, (*place, "entity"))
        for field, value in (("scale", column.scale), ("places", column.places)):
            if value is None:
                continue
            if column.type is not ValueType.DECIMAL:
                message = f"{field} belongs to decimals, {column.name} is {column.type}"
                yield Mark("scale_of_no_decimal", message, "write type: decimal", (*place, field))
            elif not 0 <= value <= 18:
                yield Mark("scale_out_of_range", f"{field} is {value}", "write 0 to 18", (*place, field))


def _of_metrics_and_scopes(pack: Pack) -> Iterator[Mark]:
    for name, metric in pack.metrics.items():
        verb = pack.verbs.get(metric.verb)
        if metric.of or metric.table:
            yield from _of_a_figure(metric, ("metrics", name))
        elif verb is None:
            yield _unknown("verb", metric.verb, pack.verbs, ("metrics", name, "verb"))
        elif verb.effect is not Effect.READ:
            message = f"{metric.verb} gives no figure"
            yield Mark("wrong_metric", message, "name a verb that reads", ("metrics", name, "verb"))
    for name, scope in pack.scopes.items():
        if scope.entity and scope.entity not in pack.entities:
            yield _unknown("entity", scope.entity, pack.entities, ("scopes", name, "entity"))
        if not scope.entity and name != "date":
            message = f"the scope {name} has no entity"
            yield Mark(
                "scope_of_nothing", message, "name its entity; only date has none", ("scopes", name)
            ).on_key()


def _of_tables(pack: Pack) -> Iterator[Mark]:
    for name, table in pack.tables.items():
        if len(set(table.label)) < len(table.label):
            message = "a column stands there twice"
            yield Mark("repeated", message, "keep one of them", ("tables", name, "label"))
        for column, said in table.columns.items():
            at: Path = ("tables", name, "columns", column)
            if said.scale is not None and not 0 <= said.scale <= MOST_SCALE:
                message = f"scale is {said.scale}"
                yield Mark("scale_out_of_range", message, f"write 0 to {MOST_SCALE}", (*at, "scale"))


def _of_a_figure(metric: PackMetric, at: Path) -> Iterator[Mark]:
    """A metric over a table: it has no verb, and says what is added up."""
    if metric.verb:
        message = "a metric is given by a verb, or computed from a table"
        yield Mark("wrong_metric", message, "keep verb:, or table: and of:", (*at, "verb"))
    elif not metric.of or not metric.table:
        there, lacks = ("table", "of") if metric.table else ("of", "table")
        yield Mark("wrong_metric", f"a metric with {there}: needs {lacks}:", f"add {lacks}:", (*at, there))
    elif figure_of(metric) is None:
        hint = """write a column in quotes, or {:times ["price" "quantity"]}"""
        yield Mark("wrong_metric", f"{metric.of[:60]!r} is nothing that can be added up", hint, (*at, "of"))


def _of_coverage(pack: Pack) -> Iterator[Mark]:
    domains = {domain_of(name, verb): None for name, verb in pack.verbs.items()}
    for number, entry in enumerate(pack.coverage):
        at: Path = ("coverage", number)
        if entry.domain not in domains:
            yield _unknown("domain", entry.domain, domains, (*at, "domain"))
        yield from _of_an_entry(pack, entry, at)
    table = pack.coverage_table
    for name in table.scopes if table else ():
        if name not in pack.scopes:
            yield _unknown("scope", name, pack.scopes, ("coverage_table", "scopes", name)).on_key()


def _of_an_entry(pack: Pack, entry: CoverageEntry, at: Path) -> Iterator[Mark]:
    if entry.start > entry.end:
        message = f"{entry.end} is before {entry.start}"
        yield Mark("dates_reversed", message, "write the earlier date as start", (*at, "end"))
    for name in entry.scopes:
        if name not in pack.scopes:
            yield _unknown("scope", name, pack.scopes, (*at, "scopes", name)).on_key()


def domain_of(name: str, verb: PackVerb) -> str:
    """The domain whose coverage holds for a verb."""
    return verb.domain or name.partition(".")[0]

"""Resolving the names of a program to keys: a value, and the operations that lead from one to the next.

A resolution is never changed: every operation gives a new one, or an error that changes nothing. What it
knows of the world (the compiler, the indexes, the packs) it asks a `World` for, so that the same answers give
the same resolution. After every binding the program is checked again from its semantics on.
"""

from collections.abc import Mapping
from typing import Protocol

from msgspec.structs import replace

from dragoman.contracts.errors import (
    CreationImpossible,
    CreationMissing,
    CreationOpen,
    InternalError,
    MatchUnknown,
    ReferenceSettled,
    ReferenceUnknown,
    ResolutionRefused,
)
from dragoman.contracts.program import (
    Argument,
    CreatedNew,
    Diagnostic,
    EntityMatch,
    Pending,
    Resolved,
    Severity,
    Skipped,
    Statement,
    Text,
    Value,
)
from dragoman.contracts.record import Record
from dragoman.contracts.resolution import BoundBy, Reference
from dragoman.contracts.vocabulary import Notation
from dragoman.entities.records import Found
from dragoman.entities.reference_matches import entity_matches
from dragoman.language.compiler import Compilation
from dragoman.language.document import Document
from dragoman.language.substitution import needing, statement_at, with_value, without


class CreateForm(Record, frozen=True):
    """The verb that makes an entity of a type, and its argument that takes the name, if there is one."""

    verb: str
    name_argument: str = ""


class World(Protocol):
    """What a resolution asks."""

    def read(self, source: str, notation: Notation) -> Document: ...

    def printed(self, document: Document) -> str: ...

    def compile(self, source: str, notation: Notation) -> Compilation: ...

    def search(self, entity: str, text: str, filters: Mapping[str, str]) -> Found:
        """Raises `EntityFilterUnknown`."""

    def name_of(self, entity: str, key: str) -> str | None: ...

    def form(self, entity: str) -> CreateForm | None: ...


class Creation(Record, frozen=True):
    """Something new on its way: the program that makes it, with names of its own to resolve."""

    ref_id: str
    entity_type: str
    verb: str
    form: "Resolution"


class Resolution(Record, frozen=True):
    """A program with its references. `source` has the keys of those that are settled in place."""

    source: str
    notation: Notation
    references: tuple[Reference, ...] = ()
    left_out: tuple[int, ...] = ()
    """The statements that are skipped, and those that need them, by their place in `source`."""
    moot: tuple[str, ...] = ()
    """The references in them that nobody has to resolve any more."""
    diagnostics: tuple[Diagnostic, ...] = ()
    creation: Creation | None = None

    @property
    def open(self) -> tuple[Reference, ...]:
        """What still waits for somebody, in the order of the text."""
        pending = (each for each in self.references if isinstance(each.ref.status, Pending))
        return tuple(each for each in pending if each.ref.ref_id not in self.moot)

    @property
    def partial(self) -> bool:
        """Whether statements are left out."""
        return bool(self.left_out)

    @property
    def ready(self) -> bool:
        """Whether nothing waits and nothing is wrong."""
        wrong = any(finding.severity is Severity.ERROR for finding in self.diagnostics)
        return not wrong and not self.open and self.creation is None

    def reference(self, ref_id: str) -> Reference:
        found = next((each for each in self.references if each.ref.ref_id == ref_id), None)
        if found is not None:
            return found
        known = ", ".join(each.ref.ref_id for each in self.references) or "none"
        raise ReferenceUnknown(
            f"the program has no reference {ref_id[:60]!r}", hint=f"its references: {known}"
        )


def begin(world: World, source: str, notation: Notation) -> Resolution:
    """The resolution of a program. What binds by itself is bound."""
    begun = opened(world, source, notation)
    for reference in begun.references:
        begun = bind_by_rule(world, begun, reference.ref.ref_id)
    return begun


def opened(world: World, source: str, notation: Notation) -> Resolution:
    """The resolution of a program as the compiler finds it: every name is searched for, none is bound."""
    done = world.compile(source, notation)
    references = tuple(
        _searched(world, Reference(ref, ref.search_value), ref.search_value, {})[0] for ref in done.unresolved
    )
    return Resolution(source, notation, references, diagnostics=done.diagnostics)


def bind_by_rule(world: World, resolution: Resolution, ref_id: str) -> Resolution:
    """The reference bound, where what it searches for is one entity without doubt."""
    reference = _unsettled(resolution, ref_id)
    found = world.search(reference.ref.entity_type, reference.text, reference.filters)
    return _bound_by_rule(world, resolution, ref_id, found)


def search(
    world: World, resolution: Resolution, ref_id: str, text: str, filters: Mapping[str, str] | None = None
) -> Resolution:
    """Search again, with other words or filters. A skipped reference is taken up again by that."""
    reference = _unsettled(resolution, ref_id)
    again, found = _searched(world, reference, text, filters or {})
    pending = _with(resolution, replace(again, ref=replace(again.ref, status=Pending())))
    return _bound_by_rule(world, _with_left_out(world, pending), ref_id, found)


def pick(world: World, resolution: Resolution, ref_id: str, key: str) -> Resolution:
    """The entity with this key is meant, whether it was among the matches or not."""
    reference = _unsettled(resolution, ref_id)
    display = world.name_of(reference.ref.entity_type, key)
    if display is None:
        there = ", ".join(f"{each.entity_id} ; {each.display}" for each in reference.matches)
        raise MatchUnknown(
            f"no {reference.ref.entity_type} has the key {key[:60]!r}",
            hint=f"the matches: {there}" if there else "search again with other words",
        )
    return _bind(world, resolution, reference, Resolved(key, display), display, BoundBy.PERSON)


def pick_numbered(world: World, resolution: Resolution, ref_id: str, number: int) -> Resolution:
    """The match with this number is meant; the first is 1."""
    reference = _unsettled(resolution, ref_id)
    if not 1 <= number <= len(reference.matches):
        count = len(reference.matches)
        hint = f"there are {count}, from 1 on" if count else "search again with other words"
        raise MatchUnknown(f"there is no match {number} of {ref_id}", hint=hint)
    return pick(world, resolution, ref_id, reference.matches[number - 1].entity_id)


def narrow(
    resolution: Resolution, ref_id: str, words: tuple[str, ...], matches: tuple[EntityMatch, ...]
) -> Resolution:
    """The same search, of which only these matches may be meant: `words` say which. What is searched for is
    not touched."""
    reference = _unsettled(resolution, ref_id)
    said = tuple(dict.fromkeys((*reference.narrowed, *words)))
    return _with(resolution, replace(reference, matches=matches, narrowed=said))


def search_anew(resolution: Resolution, ref_id: str) -> Resolution:
    """Nothing is searched for any more: the next words say what is."""
    reference = _unsettled(resolution, ref_id)
    return _with(resolution, replace(reference, text="", filters={}, matches=(), narrowed=()))


def none_of_these(resolution: Resolution, ref_id: str) -> Resolution:
    """None of the matches is meant: they are put aside, and none of them binds by itself any more."""
    reference = _unsettled(resolution, ref_id)
    keys = (*reference.rejected, *(match.entity_id for match in reference.matches))
    return _with(resolution, replace(reference, matches=(), rejected=tuple(dict.fromkeys(keys))))


def skip(world: World, resolution: Resolution, ref_id: str) -> Resolution:
    """Leave out the statement of a reference, and every statement that needs it."""
    reference = _unsettled(resolution, ref_id)
    skipped = replace(reference, ref=replace(reference.ref, status=Skipped()))
    return _with_left_out(world, _with(resolution, skipped))


def program(world: World, resolution: Resolution) -> str:
    """The program as it stands, without what is left out."""
    document = world.read(resolution.source, resolution.notation)
    return world.printed(without(document, resolution.left_out))


# Making a new entity.


def create(world: World, resolution: Resolution, ref_id: str) -> Resolution:
    """Begin to make what was searched for. The original waits."""
    reference = _unsettled(resolution, ref_id)
    form = world.form(reference.ref.entity_type)
    if form is None:
        raise CreationImpossible(
            f"nothing says how a new {reference.ref.entity_type} is made",
            hint="search again, or skip it",
        )
    named = form.name_argument
    given = (Argument(named, Text(reference.text)),) if named else ()
    begun = _form_of(world, Statement(form.verb, given))
    return replace(resolution, creation=Creation(ref_id, reference.ref.entity_type, form.verb, begun))


def fill(world: World, resolution: Resolution, values: Mapping[str, Value]) -> Resolution:
    """Give arguments of what is being made; one that was given before is replaced."""
    creation = _creation(resolution)
    statement = form_statement(world, creation)
    kept = tuple(each for each in statement.arguments if each.name not in values)
    given = tuple(Argument(name, value) for name, value in values.items())
    form = _form_of(world, Statement(statement.verb, (*kept, *given)))
    return replace(resolution, creation=replace(creation, form=form))


def in_creation(resolution: Resolution, form: Resolution) -> Resolution:
    """The resolution with the names of what is being made resolved further."""
    return replace(resolution, creation=replace(_creation(resolution), form=form))


def form_statement(world: World, creation: Creation) -> Statement:
    """The statement that makes the new entity, as far as it is filled."""
    return world.read(creation.form.source, creation.form.notation).statements[0]


def created(world: World, resolution: Resolution, key: str) -> Resolution:
    """It was made, and has this key: the reference means it, and the original goes on."""
    creation = _creation(resolution)
    waiting = replace(resolution, creation=None)
    reference = _unsettled(waiting, creation.ref_id)
    display = world.name_of(creation.entity_type, key)
    if display is None:
        raise MatchUnknown(
            f"no {creation.entity_type} has the key {key[:60]!r} yet",
            hint=f"bring the index up to date: dragoman entities index {creation.entity_type}",
        )
    return _bind(world, waiting, reference, CreatedNew(key), display, BoundBy.CREATION)


def cancel_creation(resolution: Resolution) -> Resolution:
    """Back to the resolution as it was before something new was begun."""
    _creation(resolution)
    return replace(resolution, creation=None)


def _form_of(world: World, statement: Statement) -> Resolution:
    text = world.printed(Document(Notation.VERBS, (statement,)))
    return begin(world, text, Notation.VERBS)


def _creation(resolution: Resolution) -> Creation:
    if resolution.creation is None:
        raise CreationMissing("nothing is being made", hint="begin with create")
    return resolution.creation


# Inner steps.


def _unsettled(resolution: Resolution, ref_id: str) -> Reference:
    reference = resolution.reference(ref_id)
    if resolution.creation is not None:
        raise CreationOpen(
            f"a new {resolution.creation.entity_type} is being made", hint="finish that, or cancel it"
        )
    if reference.is_settled:
        raise ReferenceSettled(f"{ref_id} has its key already", hint="edit the program to change it")
    return reference


def _searched(
    world: World, reference: Reference, text: str, filters: Mapping[str, str]
) -> tuple[Reference, Found]:
    found = world.search(reference.ref.entity_type, text, filters)
    matches = entity_matches(found)
    again = replace(reference, text=text, filters=dict(filters), matches=matches, narrowed=())
    return again, found


def _bound_by_rule(world: World, resolution: Resolution, ref_id: str, found: Found) -> Resolution:
    reference = resolution.reference(ref_id)
    if found.bound is None or found.bound.key in reference.rejected:
        return resolution
    status = Resolved(found.bound.key, found.bound.display)
    return _bind(world, resolution, reference, status, found.bound.display, BoundBy.RULE)


def _with(resolution: Resolution, reference: Reference) -> Resolution:
    references = tuple(
        reference if each.ref.ref_id == reference.ref.ref_id else each for each in resolution.references
    )
    return replace(resolution, references=references)


def _bind(
    world: World,
    resolution: Resolution,
    reference: Reference,
    status: Resolved | CreatedNew,
    display: str,
    by: BoundBy,
) -> Resolution:
    """The key in the place of the name, and the program checked again."""
    span = reference.ref.location.span
    if span is None:
        raise InternalError("a reference of a program has no place")
    document = world.read(resolution.source, resolution.notation)
    key = Text(_escaped(status.entity_id))
    source = world.printed(with_value(document, (span.start, span.end), key, display))
    settled = replace(reference, ref=replace(reference.ref, status=status), bound_by=by)
    return _checked_again(world, _with(replace(resolution, source=source), settled))


def _escaped(key: str) -> str:
    """A key is itself, also where it looks like a parameter."""
    return key.replace("${params.", "$${params.")


def _checked_again(world: World, resolution: Resolution) -> Resolution:
    """Those that are not settled are found again, in the same order, at their new places."""
    done = world.compile(resolution.source, resolution.notation)
    waiting = [each for each in resolution.references if not each.is_settled]
    if len(done.unresolved) != len(waiting):
        raise ResolutionRefused(
            "the key does not stand in the program as one",
            hint="bring the index up to date: dragoman entities index",
        )
    places = {each.ref.ref_id: found.location for each, found in zip(waiting, done.unresolved, strict=True)}
    references = tuple(
        replace(each, ref=replace(each.ref, location=places[each.ref.ref_id]))
        if each.ref.ref_id in places
        else each
        for each in resolution.references
    )
    checked = replace(resolution, references=references, diagnostics=done.diagnostics)
    return _with_left_out(world, checked)


def _with_left_out(world: World, resolution: Resolution) -> Resolution:
    skipped = [each for each in resolution.references if isinstance(each.ref.status, Skipped)]
    if not skipped:
        return replace(resolution, left_out=(), moot=())
    document = world.read(resolution.source, resolution.notation)
    left_out = needing(document.statements, [_statement_of(document, each) for each in skipped])
    moot = tuple(
        each.ref.ref_id
        for each in resolution.references
        if isinstance(each.ref.status, Pending) and _statement_of(document, each) in left_out
    )
    return replace(resolution, left_out=tuple(sorted(left_out)), moot=moot)


def _statement_of(document: Document, reference: Reference) -> int:
    span = reference.ref.location.span
    if span is None:
        raise InternalError("a reference of a program has no place")
    return statement_at(document, (span.start, span.end))

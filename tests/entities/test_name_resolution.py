"""The resolution of a program's names as a value: every operation, what it refuses, and what always holds."""

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dragoman.contracts.errors import DragomanError, InternalError, MatchUnknown
from dragoman.contracts.program import CreatedNew, EntityMatch, Pending, Resolved, Skipped, Text
from dragoman.contracts.resolution import BoundBy
from dragoman.contracts.verb import Effect, EntityType, ListType, StringType, VerbArgument, VerbSignature
from dragoman.contracts.vocabulary import Notation
from dragoman.entities import EntityIndex, EntityIndexConfig, EntityRow, Found, SearchKey
from dragoman.entities import name_resolution as res
from dragoman.entities.name_resolution import CreateForm, Resolution
from dragoman.language.compiler import Compilation, compile_document
from dragoman.language.document import Document
from dragoman.language.front import printed, read_program
from dragoman.language.source import Source
from tests.language.shop_catalog import ShopCatalog

CUSTOMERS = {"c1": "Allianz Funds", "c2": "Allianz Bank", "c3": "Mercury", "${params.x}": "Odd One"}
CONFIG = EntityIndexConfig("customer", (SearchKey("name"),), ("kind",), create_verb="customers.add")
ADD = VerbSignature(
    "customers.add",
    "customers",
    "Add a customer",
    Effect.WRITE,
    (
        VerbArgument("name", StringType()),
        VerbArgument("code", StringType()),
        VerbArgument("parent", EntityType("customer"), required=False),
    ),
)
SEND = VerbSignature(
    "mail.send",
    "mail",
    "Send",
    Effect.WRITE,
    (
        VerbArgument("to", ListType(EntityType("customer"))),
        VerbArgument("text", StringType(), required=False),
    ),
)


class SmallWorld(ShopCatalog):
    """A compiler and an index of a few customers; `made` adds one."""

    def __init__(self, customers: Mapping[str, str] = CUSTOMERS, *, form: bool = True) -> None:
        super().__init__()
        self.customers = dict(customers)
        self._signatures |= {"customers.add": ADD, "mail.send": SEND}
        rows = [EntityRow(key, name, (name,), {"kind": key[:1]}) for key, name in self.customers.items()]
        self.index = EntityIndex.in_memory(CONFIG, rows)
        self._form = form

    def made(self, key: str, name: str) -> "SmallWorld":
        return SmallWorld({**self.customers, key: name})

    def entity_name(self, entity: str, key: str) -> str | None:
        return self.index.name_of(key)

    def entity_matches(self, entity: str, text: str) -> tuple[EntityMatch, ...]:
        return ()

    def read(self, source: str, notation: Notation) -> Document:
        return read_program(Source(source), notation)

    def printed(self, document: Document) -> str:
        effects = {name: signature.effect for name, signature in self._signatures.items()}
        return printed(document, effects)

    def compile(self, source: str, notation: Notation) -> Compilation:
        return compile_document(self.read(source, notation), Source(source), self)

    def search(self, entity: str, text: str, filters: Mapping[str, str]) -> Found:
        return self.index.search(text, filters=filters)

    def name_of(self, entity: str, key: str) -> str | None:
        return self.index.name_of(key)

    def form(self, entity: str) -> CreateForm | None:
        return CreateForm("customers.add", "name") if self._form else None


WORLD = SmallWorld()
PROGRAM = """\
; who
(shop.orders :customer "allianz" :above 5 :as @a)
(mail.send :to ["mercury" "allianz" "c3"] :text "hi") ; all of them
(duckdb.transform :needs [@a] :query "SELECT 1")
"""


def begun(text: str = PROGRAM, world: SmallWorld = WORLD) -> Resolution:
    return res.begin(world, text, Notation.VERBS)


def ids(resolution: Resolution) -> list[str]:
    return [each.ref.ref_id for each in resolution.references]


def test_what_is_clear_binds_by_itself_and_is_shown() -> None:
    resolution = begun()
    first, exact, second = resolution.references
    assert (exact.ref.status, exact.bound_by) == (Resolved("c3", "Mercury"), BoundBy.RULE)
    assert [first.ref.status, second.ref.status] == [Pending(), Pending()]
    assert [match.entity_id for match in first.matches] == ["c2", "c1"]
    assert '(mail.send :to ["c3" "allianz" "c3"]' in resolution.source.replace("\n  ", " ")
    assert resolution.open == (first, second)
    assert not resolution.ready


def test_picking_by_key_and_by_number_ends_in_a_program_that_compiles() -> None:
    first, _, second = ids(begun())
    resolution = res.pick(WORLD, begun(), first, "c1")
    assert '"c1" ; Allianz Funds' in resolution.source
    assert resolution.reference(first).bound_by is BoundBy.PERSON
    resolution = res.pick_numbered(WORLD, resolution, second, 1)
    assert resolution.reference(second).ref.status == Resolved("c2", "Allianz Bank")
    assert resolution.ready
    done = WORLD.compile(res.program(WORLD, resolution), Notation.VERBS)
    assert done.ok
    assert done.manifest is not None
    assert "; who" in resolution.source
    assert "; all of them" in resolution.source


def test_searching_again_narrows_and_may_bind() -> None:
    first = ids(begun())[0]
    resolution = res.search(WORLD, begun(), first, "bank")
    assert [match.entity_id for match in resolution.reference(first).matches] == ["c2"]
    assert resolution.reference(first).text == "bank"
    narrowed = res.search(WORLD, begun(), first, "allianz", {"kind": "x"})
    assert narrowed.reference(first).matches == ()
    exact = res.search(WORLD, begun(), first, "Allianz Bank")
    assert exact.reference(first).ref.status == Resolved("c2", "Allianz Bank")


def test_what_a_person_put_aside_never_binds_by_itself() -> None:
    first = ids(begun())[0]
    aside = res.none_of_these(begun(), first)
    assert aside.reference(first).matches == ()
    again = res.search(WORLD, aside, first, "Allianz Bank")
    assert again.reference(first).ref.status == Pending()
    assert again.reference(first).matches[0].entity_id == "c2"
    assert res.pick_numbered(WORLD, again, first, 1).reference(first).bound_by is BoundBy.PERSON


def test_skipping_leaves_out_what_needs_it() -> None:
    first, _, second = ids(begun())
    resolution = res.skip(WORLD, begun(), first)
    assert resolution.left_out == (0, 2)
    assert resolution.partial
    left = res.program(WORLD, res.pick(WORLD, resolution, second, "c1"))
    assert "shop.orders" not in left
    assert "duckdb.transform" not in left
    assert WORLD.compile(left, Notation.VERBS).ok
    # It is taken up again by a search or a pick.
    assert not res.pick(WORLD, resolution, first, "c1").partial
    assert not res.search(WORLD, resolution, first, "allianz").partial


def test_references_in_what_is_left_out_need_nobody() -> None:
    text = '(shop.orders :customer "allianz" :as @a)\n(mail.send :needs [@a] :to ["allianz"])\n'
    resolution = begun(text)
    skipped = res.skip(WORLD, resolution, ids(resolution)[0])
    assert skipped.moot == (ids(resolution)[1],)
    assert skipped.open == ()
    assert skipped.ready
    assert res.program(WORLD, skipped) == ""


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            '(shop.orders :customer "allianz")\n(shop.orders :customer "c1")\n'
            '(duckdb.transform :needs [@step-2] :query "SELECT 1")\n',
            '(shop.orders :customer "c1" :as @kept-step-2)\n'
            '(duckdb.transform :needs [@kept-step-2] :query "SELECT 1")\n',
        ),
        (
            '(shop.orders :customer "allianz")\n(shop.orders :customer "c1")\n'
            '(shop.orders :customer "c2" :as @step-1-b)\n',
            '(shop.orders :customer "c1")\n(shop.orders :customer "c2" :as @step-1-b)\n',
        ),
        (
            '(duckdb.transform :needs [(shop.orders :customer "allianz" :as @in)] :query "SELECT 1" :as @t)\n'
            '(duckdb.transform :needs [@in] :query "SELECT 2")\n(shop.orders :customer "c1")\n',
            '(shop.orders :customer "c1")\n',
        ),
    ],
)
def test_steps_called_by_their_place_keep_who_they_are(text: str, left: str) -> None:
    resolution = begun(text)
    skipped = res.skip(WORLD, resolution, ids(resolution)[0])
    assert res.program(WORLD, skipped) == left
    assert WORLD.compile(left, Notation.VERBS).ok


def test_the_other_notation_resolves_as_well() -> None:
    text = """\
oml_version: "0.1.0"
name: orders
steps:
  - id: a
    component: shop.orders
    mode: read
    config:
      customer: allianz # who
"""
    resolution = res.begin(WORLD, text, Notation.OML)
    done = res.pick(WORLD, resolution, ids(resolution)[0], "c2")
    assert "customer: c2 # Allianz Bank" in done.source
    assert WORLD.compile(done.source, Notation.OML).ok


def test_the_same_words_twice_are_two_references() -> None:
    text = '(shop.orders :customer "allianz")\n(shop.orders :customer "allianz")\n'
    resolution = begun(text)
    one, two = ids(resolution)
    done = res.pick(WORLD, res.pick(WORLD, resolution, one, "c1"), two, "c2")
    assert done.source.index('"c1"') < done.source.index('"c2"')
    assert done.ready


def test_a_key_that_looks_like_a_parameter_stays_a_key() -> None:
    resolution = begun('(shop.orders :customer "odd")\n')
    done = res.pick(WORLD, resolution, ids(resolution)[0], "${params.x}")
    assert "$${params.x}" in done.source


def test_a_program_with_errors_has_them_and_no_references() -> None:
    resolution = begun('(shop.orders :customer "allianz" :abov 1)')
    assert [finding.code for finding in resolution.diagnostics] == ["unknown_argument"]
    assert resolution.references == ()
    assert not resolution.ready


# Making something new.


def test_making_something_new_binds_it() -> None:
    first = ids(begun())[0]
    resolution = res.create(WORLD, begun(), first)
    assert resolution.creation is not None
    assert resolution.creation.form.source == '(customers.add :name "allianz")\n'
    assert [finding.code for finding in resolution.creation.form.diagnostics] == ["missing_argument"]
    filled = res.fill(WORLD, resolution, {"code": Text("A1"), "parent": Text("mercury")})
    assert filled.creation is not None
    assert filled.creation.form.ready
    assert res.form_statement(WORLD, filled.creation).argument("parent") is not None
    assert '"c3" ; Mercury' in filled.creation.form.source
    later = WORLD.made("n1", "allianz")
    done = res.created(later, filled, "n1")
    assert done.creation is None
    assert done.reference(first).ref.status == CreatedNew("n1")
    assert done.reference(first).bound_by is BoundBy.CREATION
    assert '"n1" ; allianz' in done.source
    with pytest.raises(MatchUnknown):
        res.created(WORLD, filled, "n1")


def test_names_of_the_new_one_are_resolved_inside() -> None:
    first = ids(begun())[0]
    resolution = res.fill(
        WORLD, res.create(WORLD, begun(), first), {"code": Text("A1"), "parent": Text("allianz")}
    )
    assert resolution.creation is not None
    form = resolution.creation.form
    assert not form.ready
    inner = res.pick(WORLD, form, form.open[0].ref.ref_id, "c1")
    whole = res.in_creation(resolution, inner)
    assert whole.creation is not None
    assert whole.creation.form.ready
    assert res.cancel_creation(whole) == begun()


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        (lambda r, i: res.pick(WORLD, r, "ref-nothing", "c1"), "reference_unknown"),
        (lambda r, i: res.pick(WORLD, r, i, "c9"), "match_unknown"),
        (lambda r, i: res.pick(WORLD, r, i, "\0"), "match_unknown"),
        (lambda r, i: res.pick(WORLD, r, i, "\ud800"), "match_unknown"),
        (lambda r, i: res.pick_numbered(WORLD, r, i, 0), "match_unknown"),
        (lambda r, i: res.pick_numbered(WORLD, r, i, 3), "match_unknown"),
        (lambda r, i: res.pick(WORLD, res.pick(WORLD, r, i, "c1"), i, "c2"), "reference_settled"),
        (lambda r, i: res.skip(WORLD, res.pick(WORLD, r, i, "c1"), i), "reference_settled"),
        (lambda r, i: res.search(WORLD, r, i, "x", {"colour": "red"}), "entity_filter_unknown"),
        (lambda r, i: res.create(SmallWorld(form=False), r, i), "creation_impossible"),
        (lambda r, i: res.cancel_creation(r), "creation_missing"),
        (lambda r, i: res.fill(WORLD, r, {}), "creation_missing"),
        (lambda r, i: res.created(WORLD, r, "c1"), "creation_missing"),
        (lambda r, i: res.pick(WORLD, res.create(WORLD, r, i), i, "c1"), "creation_open"),
        (lambda r, i: res.create(WORLD, res.create(WORLD, r, i), i), "creation_open"),
    ],
)
def test_what_does_not_fit_is_refused(operation: Callable[[Resolution, str], Resolution], code: str) -> None:
    resolution = begun()
    with pytest.raises(DragomanError) as refused:
        operation(resolution, ids(resolution)[0])
    assert refused.value.code == code
    assert resolution == begun()


OPERATIONS = st.lists(
    st.tuples(
        st.sampled_from(
            ["search", "pick", "number", "skip", "none", "create", "fill", "created", "cancel", "inner"]
        ),
        st.integers(0, 3),
        st.sampled_from(["allianz", "Allianz Bank", "mercury", "c1", "c2", "c9", "", "n1", "odd"]),
    ),
    max_size=12,
)
PROGRAMS = st.lists(
    st.sampled_from(
        [
            '(shop.orders :customer "allianz" :above 5 :as @{0})',
            '(mail.send :to ["mercury" "allianz" "odd one"] :text "kept {0}")',
            '(duckdb.transform :needs [@{1}] :query "SELECT {0}" :as @{0})',
            '(duckdb.transform :needs [(shop.orders :customer "allianz")] :query "SELECT {0}")',
            '(shop.orders :customer "bank") ; said {0}',
        ]
    ),
    min_size=1,
    max_size=5,
)


def _others(source: str, world: SmallWorld) -> list[object]:
    """Everything of a program but the values of entities."""
    return [
        (statement.verb, argument.name, argument.value)
        for statement in world.compile(source, Notation.VERBS).statements
        for argument in statement.arguments
        if argument.name not in ("customer", "to")
    ]


def _step(world: SmallWorld, resolution: Resolution, operation: str, ref: str, word: str) -> Resolution:
    match operation:
        case "search":
            return res.search(world, resolution, ref, word, {"kind": "c"} if word == "c1" else {})
        case "pick":
            return res.pick(world, resolution, ref, word)
        case "number":
            return res.pick_numbered(world, resolution, ref, len(word) % 3)
        case "skip":
            return res.skip(world, resolution, ref)
        case "none":
            return res.none_of_these(resolution, ref)
        case "create":
            return res.create(world, resolution, ref)
        case "fill":
            return res.fill(world, resolution, {"code": Text(word)})
        case "inner":
            form = resolution.creation.form if resolution.creation else resolution
            return res.in_creation(resolution, res.skip(world, form, ref))
        case "created":
            return res.created(world, resolution, word)
        case _:
            return res.cancel_creation(resolution)


@settings(max_examples=60)
@given(lines=PROGRAMS, steps=OPERATIONS)
def test_whatever_is_done_the_program_stays_whole(
    lines: list[str], steps: list[tuple[str, int, str]]
) -> None:
    world = WORLD.made("n1", "Newcomer")
    names = [f"s{number}" for number in range(len(lines))]
    # The first statement has none before it: were it to need itself, the program would begin wrong.
    before_it = ["nobody", *names]
    text = "\n".join(line.format(names[n], before_it[n]) for n, line in enumerate(lines)) + "\n"
    resolution = res.begin(world, text, Notation.VERBS)
    kept, before = _others(text, world), None
    for operation, number, word in steps:
        known = ids(resolution)
        ref = known[number % len(known)] if known else "ref-none"
        try:
            after = _step(world, resolution, operation, ref, word)
        except InternalError:
            raise
        except DragomanError:
            continue
        if operation == "create":
            before = resolution
        if operation == "cancel":
            assert after == before
        resolution = after
        assert ids(resolution) == known
        assert _others(resolution.source, world) == kept
        done = world.compile(resolution.source, Notation.VERBS)
        waiting = [each for each in resolution.references if not each.is_settled]
        assert len(done.unresolved) == len(waiting)
        for each, found in zip(waiting, done.unresolved, strict=True):
            assert (each.ref.location, each.ref.search_value) == (found.location, found.search_value)
            assert isinstance(each.ref.status, Pending | Skipped)
        if resolution.ready:
            final = world.compile(res.program(world, resolution), Notation.VERBS)
            codes = {finding.code for finding in final.diagnostics}
            assert not final.unresolved
            assert codes <= {finding.code for finding in done.diagnostics} | {"undefined_symbol"}
            if not any("@{1}" in line for line in lines):
                assert final.ok, final.diagnostics

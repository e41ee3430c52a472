"""What is declared and what is written of it agree: renderings, schema, generated pages, links, examples."""

import ast
import doctest
import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from xml.etree import ElementTree

import msgspec
import pytest
from click.testing import CliRunner, Result

from dragoman import Workspace
from dragoman.cli.reference import commands, mermaid, phase_picture, plain_text, transition_picture
from dragoman.cli.reference.documents import tables_document
from dragoman.cli.reference.phase_moves import moves_of
from dragoman.cli.reference.schemas import event_kinds, schema_document, schema_of
from dragoman.contracts import errors
from dragoman.contracts.errors import UnknownSchema
from dragoman.contracts.state import LivingModeState
from dragoman.contracts.transition import PhaseEdge, Transition
from dragoman.contracts.vocabulary import Forbidden, Part, Phase, TransitionClass
from dragoman.session import codec
from dragoman.session.living_mode import living_mode
from dragoman.session.phases import AT_REST, ERRORS, PHASE_EDGES
from dragoman.session.prohibitions import CHECKS
from dragoman.session.registry import BY_CLASS, REGISTRY
from tools import generate_docs
from tools.checkout import ROOT
from tools.reference_pages.errors import error_classes
from tools.reference_pages.examples import full_state, smallest
from tools.reference_pages.markdown import anchor

WRITTEN = sorted(
    path
    for path in (ROOT / "README.md", ROOT / "CHANGELOG.md", *(ROOT / "docs").rglob("*.md"))
    if path.exists()
)


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))


# What is declared.


def test_every_class_has_a_record_and_every_prohibition_a_check() -> None:
    assert [transition.id for transition in REGISTRY] == list(TransitionClass)
    assert set(CHECKS) == set(Forbidden)
    assert {forbidden for t in REGISTRY for forbidden in t.forbidden_carryover} == set(Forbidden)


def test_every_class_says_something_for_every_property() -> None:
    for transition in REGISTRY:
        assert transition.title
        assert transition.entry_condition.text
        assert transition.forbidden_carryover
        assert transition.expected_answer_modes
        condition = transition.entry_condition
        always = not (condition.all_of or condition.any_of or condition.none_of)
        assert always is (transition.id is TransitionClass.T10)
    assert len({transition.precedence for transition in REGISTRY}) == len(REGISTRY)


@pytest.mark.parametrize(
    ("name", "needs", "carries", "may_change", "must_not", "ends_in"),
    [
        ("T0", "", "full", "default_scope", "run_route", "none"),
        (
            "T1",
            "",
            "none",
            "root_frame object_frame clarification gate program answers meta_frame attempt",
            "stale_focus stale_scope",
            "confirmed limited clarification_required",
        ),
        (
            "T2",
            "root",
            "root_only",
            "root_frame object_frame clarification gate program answers meta_frame attempt",
            "unknown_downgrade unanswered_antecedent",
            "confirmed limited clarification_required",
        ),
        (
            "T3",
            "root result_set",
            "root_only",
            "object_frame clarification gate program answers meta_frame attempt",
            "foreign_provenance unanswered_antecedent",
            "confirmed limited clarification_required",
        ),
        (
            "T5",
            "object_or_result_set",
            "object_only",
            "clarification gate program answers meta_frame attempt",
            "chat_fallback pronoun_search unanswered_antecedent",
            "confirmed limited clarification_required",
        ),
        (
            "T8",
            "answer",
            "meta_only",
            "meta_frame",
            "run_route raise_truth",
            "confirmed limited clarification_required unsupported",
        ),
        ("T9", "grounded_answer", "meta_only", "meta_frame", "run_route invent_memory", "confirmed limited"),
        (
            "T10",
            "",
            "none",
            "gate answers attempt",
            "sound_confirmed zero_for_missing",
            "unsupported limited clarification_required",
        ),
        ("X_CANCEL", "", "none", "lifecycle", "run_route", "none"),
        ("X_HELP", "", "full", "", "run_route", "none"),
        (
            "X_EXTEND",
            "program",
            "full",
            "program clarification",
            "run_route unasked_write",
            "clarification_required",
        ),
        (
            "X_RUN",
            "ready",
            "full",
            "program answers gate clarification attempt",
            "unasked_write",
            "confirmed limited clarification_required unsupported",
        ),
        (
            "X_TEACH",
            "",
            "full",
            "clarification program",
            "run_route unasked_write unasked_word other_program",
            "clarification_required none",
        ),
    ],
)
def test_the_registry_declares_what_was_designed(
    name: str, needs: str, carries: str, may_change: str, must_not: str, ends_in: str
) -> None:
    transition = BY_CLASS[TransitionClass(name)]
    assert set(transition.required_prior_state) == set(needs.split())
    assert transition.allowed_carryover_depth == carries
    assert set(transition.state_mutations) == set(may_change.split())
    assert set(transition.forbidden_carryover) == set(must_not.split())
    assert set(transition.expected_answer_modes) == set(ends_in.split())


def test_the_phase_table_names_real_events() -> None:
    named = {name for edge in PHASE_EDGES for name in edge.by.split(", ")}
    # A question that concerns the request is one kind of clarification_asked, and told in words.
    assert {name for name in named if name not in event_kinds()} <= {
        "a closed or open question about the request"
    }


def test_the_tree_of_errors_is_the_tree_of_classes() -> None:
    drawn = re.findall(r"^[│├└─ ]*(\w+)", errors.__doc__ or "", re.MULTILINE)
    own = [kind.__name__ for kind in error_classes() if kind.__module__ == errors.__name__]
    assert [name for name in drawn if name in vars(errors)] == own
    codes = [kind.code for kind in error_classes()]
    assert len(set(codes)) == len(codes)


ELSEWHERE: Final = {"dragoman.planning.tables.fragment_builder.Unsaid"}
"""Raised and caught in the planner over tables, whose modules are being rebuilt."""


def test_every_error_hangs_on_the_tree() -> None:
    error_classes()
    outside = {
        f"{kind.__module__}.{kind.__qualname__}"
        for kind in _below(BaseException)
        if kind.__module__.startswith("dragoman.") and kind.__module__ != errors.__name__
        if not issubclass(kind, errors.InternalSignal)
    }
    assert outside == ELSEWHERE


def test_signals_stay_in_their_rooms() -> None:
    error_classes()
    homes = {kind.__name__: kind.__module__ for kind in _below(errors.InternalSignal)}
    assert homes
    for path in (ROOT / "src" / "dragoman").rglob("*.py"):
        room = path.relative_to(ROOT / "src" / "dragoman").parts[0]
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.ImportFrom):
                taken = [name.name for name in node.names if homes.get(name.name) == node.module]
                assert not taken or (node.module or "").split(".")[1] == room, f"{path} takes {taken}"


def _below(kind: type[BaseException]) -> set[type[BaseException]]:
    return {found for child in type.__subclasses__(kind) for found in (child, *_below(child))}


# Renderings.


def test_json_is_the_registry() -> None:
    document = json.loads(json.dumps(tables_document(REGISTRY, PHASE_EDGES, AT_REST)))
    assert msgspec.convert(document["transitions"], tuple[Transition, ...]) == REGISTRY
    assert msgspec.convert(document["phases"]["edges"], tuple[PhaseEdge, ...]) == PHASE_EDGES
    assert msgspec.convert(document["phases"]["at_rest"], tuple[Phase, ...]) == AT_REST
    fields = set(Transition.__struct_fields__)
    assert all(set(record) == fields for record in document["transitions"])


def test_moves_are_the_phase_table_put_shortly() -> None:
    moves = moves_of(PHASE_EDGES, AT_REST)
    edges = [edge for move in moves for edge in move.edges()]
    assert len(edges) == len(PHASE_EDGES)
    assert set(edges) == set(PHASE_EDGES)
    assert len(moves) < len(edges) / 2


def test_text_has_everything_in_100_columns() -> None:
    text = plain_text.transitions_text(REGISTRY)
    for transition in REGISTRY:
        block = next(block for block in text.split("\n\n") if block.startswith(f"{transition.id}  "))
        assert str(transition.precedence) in block
        words = set(re.split(r"[\s,:]+", block))
        assert {*transition.state_mutations, *transition.forbidden_carryover} <= words
        assert {transition.owner, transition.allowed_carryover_depth} <= words
    phases = plain_text.phases_text(PHASE_EDGES, AT_REST)
    assert all(phase in phases for phase in Phase)
    assert max(len(line) for line in (*text.splitlines(), *phases.splitlines())) <= 100


def test_mermaid_has_every_class_and_edge() -> None:
    diagram = mermaid.transitions_mermaid(REGISTRY)
    for transition in REGISTRY:
        assert f'{transition.id}["<b>{transition.id}</b>' in diagram
        arrows = re.findall(rf"(\w+) --> {transition.id}\n", diagram)
        assert len(arrows) == bool(transition.required_prior_state)
    phases = mermaid.phases_mermaid(PHASE_EDGES, AT_REST, ERRORS)
    aliases = {alias: name for name, alias in re.findall(r'state "(.+)" as (\w+)', phases)}
    drawn = {
        (aliases.get(source, source), target, by)
        for source, target, by in re.findall(r"^  (\w+) --> (\w+): (.+)$", phases, re.MULTILINE)
    }
    assert drawn == {(move.name, move.target, move.by) for move in moves_of(PHASE_EDGES, AT_REST)}


PICTURES = {
    "transitions": transition_picture.transitions_svg(REGISTRY),
    "phases": phase_picture.phases_svg(PHASE_EDGES, AT_REST, ERRORS),
}


@pytest.mark.parametrize("picture", PICTURES.values(), ids=PICTURES)
def test_pictures_stand_alone(picture: str) -> None:
    root = ElementTree.fromstring(picture)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert tags <= {"svg", "title", "desc", "defs", "marker", "path", "rect", "text", "circle", "line"}
    attributes = [f"{name}={value}" for element in root.iter() for name, value in element.attrib.items()]
    assert not [text for text in attributes if "href" in text or "http" in text or text.startswith("on")]
    assert all(name != "url" or value == "#tip" for name, value in re.findall(r"(url)\((.+?)\)", picture))
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    for text in root.iter("{http://www.w3.org/2000/svg}text"):
        assert 0 <= float(text.attrib["x"]) < width
        assert 0 <= float(text.attrib["y"]) < height


def texts(picture: str) -> list[str]:
    return [element.text or "" for element in ElementTree.fromstring(picture).iter() if element.text]


def test_pictures_show_every_class_part_and_phase() -> None:
    assert {*TransitionClass, *Part} <= set(texts(PICTURES["transitions"]))
    assert set(Phase) <= set(texts(PICTURES["phases"]))
    arrows = PICTURES["phases"].count("url(#tip)")
    single = [move for move in moves_of(PHASE_EDGES, AT_REST) if not move.is_shared]
    assert arrows == len(single) + 1, "one arrow for each move, and the first step of the road"


def test_a_registry_with_other_words_is_escaped() -> None:
    odd = msgspec.structs.replace(REGISTRY[0], title="<b> & 'it'")
    picture = transition_picture.transitions_svg([odd])
    assert "<b> & 'it'" in texts(picture)


# Commands.


def run(name: str, *arguments: str) -> Result:
    command = {"transitions": commands.transitions, "schema": commands.schema}[name]
    return CliRunner().invoke(command, list(arguments))


def plain(document: object) -> Any:
    """A document as whoever reads its JSON sees it."""
    return json.loads(json.dumps(document))


@pytest.mark.parametrize("table", [[], ["--table", "transitions"], ["--table", "phases"]])
@pytest.mark.parametrize("form", ["text", "json", "mermaid", "svg"])
def test_transitions_prints_every_form_of_every_table(form: str, table: list[str]) -> None:
    result = run("transitions", "--format", form, *table)
    assert result.exit_code == 0
    shows_phases = "phases" in table or (not table and form in ("text", "json"))
    shows_classes = "phases" not in table
    assert ("SEMANTIC_ERROR" in result.output, "X_EXTEND" in result.output) == (shows_phases, shows_classes)


def test_json_flag_prints_one_line() -> None:
    assert run("transitions", "--json").output.count("\n") == 1
    assert run("schema", "--json").output.count("\n") == 1
    assert json.loads(run("schema").output) == plain(schema_document())


def test_schema_of_one_name_is_closed_under_references() -> None:
    document = json.loads(run("schema", "turn_routed").output)
    assert document == plain(schema_of("TurnRouted"))
    named = set(re.findall(r"#/\$defs/(\w+)", json.dumps(document)))
    assert named == set(document["$defs"])
    assert "AnswerObject" not in named


def test_an_unknown_schema_lists_near_names() -> None:
    error = run("schema", "SesionState").exception
    assert isinstance(error, UnknownSchema)
    assert error.code == "unknown_schema"
    assert "SessionState" in error.hint
    assert isinstance(run("schema", "").exception, UnknownSchema)


# The schema against what is really stored.


def faults(value: Any, schema: Any, definitions: dict[str, Any], path: str = "$") -> Iterator[str]:
    """As much of JSON Schema as the document uses; what it does not know is a fault of the document."""
    known = {"$ref", "anyOf", "enum", "type", "properties", "required", "additionalProperties", "items"}
    known |= {"title", "description", "default", "discriminator", "format"}
    yield from (f"{path}: unknown keyword {key}" for key in schema.keys() - known)
    if "$ref" in schema:
        yield from faults(value, definitions[schema["$ref"].removeprefix("#/$defs/")], definitions, path)
    if "anyOf" in schema and all(list(faults(value, o, definitions, path)) for o in schema["anyOf"]):
        yield f"{path}: fits none of the alternatives"
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is not in {schema['enum']}"
    if "type" in schema and not fits(value, schema["type"]):
        yield f"{path}: {value!r} is not of type {schema['type']}"
        return
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path}: {name} is missing"
    for name, part in value.items() if isinstance(value, dict) else ():
        if name in schema.get("properties", {}):
            yield from faults(part, schema["properties"][name], definitions, f"{path}.{name}")
        elif schema.get("additionalProperties") is False:
            yield f"{path}: {name} is unknown"
        elif isinstance(schema.get("additionalProperties"), dict):
            yield from faults(part, schema["additionalProperties"], definitions, f"{path}.{name}")
    for number, item in enumerate(value) if isinstance(value, list) and "items" in schema else ():
        yield from faults(item, schema["items"], definitions, f"{path}[{number}]")


def fits(value: Any, type_name: str) -> bool:
    match type_name:
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, int | float) and not isinstance(value, bool)
        case _:
            kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
            return isinstance(value, kinds[type_name])


def check(data: bytes, name: str) -> list[str]:
    definitions = schema_document()["$defs"]
    return list(faults(json.loads(data), definitions[name], definitions))


@pytest.mark.parametrize("kind", event_kinds())
def test_the_smallest_event_of_each_kind_fits_its_schema(kind: str) -> None:
    struct = event_kinds()[kind]
    event = smallest(struct)
    data = codec.encode_events([event])[1:-1]
    assert codec.decode_events(b"[%b]" % data) == [event]
    assert check(data, struct.__name__) == []
    assert check(data, "SessionEvent") == []
    stray = json.dumps({**json.loads(data), "stray": 1}).encode()
    assert check(stray, struct.__name__) == ["$: stray is unknown"]


def test_a_required_field_and_a_closed_word_are_checked() -> None:
    data = json.loads(codec.encode_events([smallest(event_kinds()["turn_routed"])]))[0]
    wrong = json.dumps({**data, "carryover": "deep"}).encode()
    assert [fault.partition(":")[0] for fault in check(wrong, "TurnRouted")] == ["$.carryover"]
    del data["reason"]
    assert check(json.dumps(data).encode(), "TurnRouted") == ["$: reason is missing"]


def test_a_real_session_fits_the_schema(tmp_path: Path) -> None:
    messages = (
        "stock of Alfa Trade on 31 March 2020",
        "and for April?",
        "sales",
        "undo",
        "clear",
        "total sales",
    )
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        for turn, message in enumerate(messages, 1):
            workspace.ask(session, message)
            assert check(codec.encode_state(workspace.state(session)), "SessionState") == []
            for event in workspace.turn_events(session, turn):
                assert check(codec.encode_events([event])[1:-1], "SessionEvent") == []
        mode = living_mode(workspace.state(session))
    assert check(msgspec.json.encode(mode), LivingModeState.__name__) == []
    assert check(codec.encode_state(full_state()), "SessionState") == []


# The pages.


def test_the_generated_pages_are_current() -> None:
    assert generate_docs.stale_pages() == [], "write them again with ./do docs"


def test_a_stale_missing_or_stray_page_is_named(tmp_path: Path) -> None:
    generate_docs.write_pages(tmp_path)
    assert generate_docs.stale_pages(tmp_path) == []
    (tmp_path / "phases.md").write_text("edited by hand")
    (tmp_path / "errors.md").unlink()
    (tmp_path / "old.md").write_text("nobody writes this one")
    assert generate_docs.stale_pages(tmp_path) == ["errors.md", "old.md", "phases.md"]


def test_pages_do_not_depend_on_the_order_of_hashes() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONHASHSEED": "1"}
    script = str(ROOT / "tools" / "generate_docs.py")
    subprocess.run([sys.executable, script, "--check"], env=environment, check=True)


LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")


def prose(path: Path) -> str:
    """A page without its code, in which brackets mean something else."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"`[^`\n]*`", "", text)


def anchors(path: Path) -> set[str]:
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    return {anchor(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)}


@pytest.mark.parametrize("path", WRITTEN, ids=name_of)
def test_relative_links_lead_somewhere(path: Path) -> None:
    for link in LINK.findall(prose(path)):
        if re.match(r"[a-z]+:", link):
            continue
        target, _, fragment = link.partition("#")
        found = (path.parent / target).resolve() if target else path
        assert found.exists(), link
        if fragment and found.suffix == ".md":
            assert fragment in anchors(found), link


def examples(path: Path) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```", path.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("path", [path for path in WRITTEN if examples(path)], ids=name_of)
def test_examples_run(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The Python of a page, in order, in an empty folder; blocks with prompts must print what they show."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("DRAGOMAN_STORE", raising=False)
    names: dict[str, Any] = {"__name__": "__main__"}
    for number, example in enumerate(examples(path), 1):
        if ">>>" not in example:
            exec(compile(example, f"{path.name} example {number}", "exec"), names)
            continue
        parsed = doctest.DocTestParser().get_doctest(example, names, path.name, str(path), 0)
        assert doctest.DocTestRunner().run(parsed).failed == 0

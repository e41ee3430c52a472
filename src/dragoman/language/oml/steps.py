"""The rules of one step: its keys, its id, its component, its mode, what it needs, and its config."""

from typing import NamedTuple

from dragoman.contracts.program import Argument, Sequence, Statement, Symbol, Text
from dragoman.contracts.verb import Effect
from dragoman.guards.secrets import redacted
from dragoman.language.document import ArgumentSpans, Extent, StatementSpans, ValueSpans
from dragoman.language.oml.findings import Findings, listed, nearest
from dragoman.language.oml.relations import StepRelations
from dragoman.language.oml.values import Values, check_key, kind_of, text_at
from dragoman.language.oml.yaml_tree import Listing, Mapping, Node, Refused, Scalar
from dragoman.language.program_names import HINT, VERB, is_kebab

KEYS = ("id", "component", "mode", "needs", "config")
REQUIRED = ("id", "component", "mode", "config")
_USUAL = (set(KEYS), set(REQUIRED))
RESERVED = frozenset({"id", "mode", "needs", "as"})
MODES = frozenset(effect.value for effect in Effect)

_EXAMPLES = {
    "id": "id: extract-users",
    "component": "component: mysql.extractor",
    "mode": "mode: read (or transform, or write)",
    "config": "config: {}",
}
_OTHER_WORDS = {
    "name": "id",
    "type": "component",
    "uses": "component",
    "verb": "component",
    "depends_on": "needs",
    "after": "needs",
    "with": "config",
    "args": "config",
    "params": "config",
    "settings": "config",
}


class Step(NamedTuple):
    """A step as read, and how it stands to others."""

    statement: Statement
    spans: StatementSpans
    relations: StepRelations | None


_Placed = tuple[list[Argument], list[ArgumentSpans]]


def read_step(node: Node, number: int, values: Values) -> Step | None:
    findings = values.findings
    if not isinstance(node, Mapping):
        if not isinstance(node, Refused):
            hint = "write - id: …, then component, mode and config"
            findings.error("wrong_type", node.extent, f"a step is a map, and this is {kind_of(node)}", hint)
        return None
    fields = {key.text: (key, value) for key, value in zip(node.keys, node.values, strict=True)}
    _check_keys(node, fields, findings)
    earlier = len(values.references)
    step_id = _id(fields, findings)
    component = _component(fields, findings)
    arguments, spans = _mode(fields, findings)
    needs = _needs(fields, findings, (arguments, spans))
    _config(fields, values, (arguments, spans))
    needs += values.references[earlier:]
    relations = StepRelations(*step_id, tuple(needs)) if step_id else None
    name, named_at = step_id or ("", None)
    if named_at is not None:
        values.texts.append(("id", name, named_at))
    verb, verb_at = component or ("", node.extent)
    statement = Statement(verb, tuple(arguments), "" if name == f"step-{number}" else name)
    places = StatementSpans(node.extent, verb_at, tuple(spans), named_at)
    return Step(statement, places, relations)


_Fields = dict[str, tuple[Scalar, Node]]


def _check_keys(node: Mapping, fields: _Fields, findings: Findings) -> None:
    if fields.keys() in _USUAL:
        return
    meant: set[str] = set()
    for name, (key, _) in fields.items():
        if name not in KEYS:
            near = _OTHER_WORDS.get(name) or nearest(name, KEYS)
            meant.add(near or "")
            hint = (
                f"write {near}"
                if near
                else f"a step has {listed(KEYS)}; what a component takes goes into config"
            )
            findings.error("unknown_key", key.extent, f"a step has no key {redacted(name)}", hint)
    for name in REQUIRED:
        if name not in fields and name not in meant:
            first = node.keys[0].extent if node.keys else (node.start, node.start + 1)
            findings.error("missing_key", first, f"this step has no {name}", f"add {_EXAMPLES[name]}")


def _id(fields: _Fields, findings: Findings) -> tuple[str, Extent] | None:
    found = text_at(fields, "id", findings, _EXAMPLES["id"])
    if found and not is_kebab(found[0]):
        findings.error("bad_id", found[1], f"{redacted(found[0])} cannot be the id of a step", HINT)
    return found


def _component(fields: _Fields, findings: Findings) -> tuple[str, Extent] | None:
    found = text_at(fields, "component", findings, _EXAMPLES["component"])
    if found and not VERB.match(found[0]):
        message = f"{redacted(found[0])} cannot be the name of a component"
        findings.error("bad_verb", found[1], message, "write its family and its name, as in mysql.extractor")
    return found


def _mode(fields: _Fields, findings: Findings) -> _Placed:
    found = text_at(fields, "mode", findings, _EXAMPLES["mode"])
    if not found:
        return [], []
    mode, extent = found
    if mode not in MODES:
        near = {"extract": "read", "load": "write"}.get(mode) or nearest(mode, MODES)
        hint = f"write {near}" if near else "write read, transform or write"
        findings.error("bad_mode", extent, f"{redacted(mode)} is not a mode", hint)
    return [Argument("mode", Text(mode))], [ArgumentSpans(fields["mode"][0].extent, ValueSpans(extent))]


def _needs(fields: _Fields, findings: Findings, placed: _Placed) -> list[tuple[str, Extent]]:
    if "needs" not in fields:
        return []
    key, node = fields["needs"]
    if not isinstance(node, Listing):
        if not isinstance(node, Refused):
            message = f"needs is a list of ids, and this is {kind_of(node)}"
            findings.error("wrong_type", node.extent, message, "write needs: [extract-users]")
        return []
    named: dict[str, Extent] = {}
    for item in node.items:
        if not isinstance(item, Scalar) or kind_of(item) == "nothing":
            message = f"needs is a list of ids, and {kind_of(item)} stands in it"
            findings.error("wrong_type", item.extent, message, "write needs: [extract-users]")
        elif item.text in named:
            message = f"{redacted(item.text)} is named twice"
            findings.error("duplicate_need", item.extent, message, "name each step once")
        else:
            named[item.text] = item.extent
    placed[0].append(Argument("needs", Sequence(tuple([Symbol(name) for name in named]))))
    items = tuple([ValueSpans(extent) for extent in named.values()])
    placed[1].append(ArgumentSpans(key.extent, ValueSpans(node.extent, items)))
    return list(named.items())


def _config(fields: _Fields, values: Values, placed: _Placed) -> None:
    if "config" not in fields:
        return
    _, node = fields["config"]
    findings = values.findings
    if not isinstance(node, Mapping):
        if not isinstance(node, Refused):
            message = f"config is a map, and this is {kind_of(node)}"
            findings.error("wrong_type", node.extent, message, "write config: {}")
        return
    arguments, spans = placed
    for key, each in zip(node.keys, node.values, strict=True):
        if key.text in RESERVED:
            message = f"{key.text} is a reserved name and cannot stand in config"
            hint = f"write it beside config: {key.text}: …" if key.text != "as" else "give it another name"
            findings.error("reserved_argument", key.extent, message, hint)
        name = check_key(key, findings)
        value, places = values.read(each, name)
        arguments.append(Argument(name, value))
        spans.append(ArgumentSpans((key.start, key.end), places))

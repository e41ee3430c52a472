"""The OML reader: a document with a position on every key and value, and everything that is wrong with it."""

from dragoman.contracts.program import Argument, Program, Statement
from dragoman.contracts.vocabulary import Notation
from dragoman.guards.secrets import find_secrets, redacted
from dragoman.language.document import ArgumentSpans, Document, StatementSpans
from dragoman.language.oml import head
from dragoman.language.oml.attachment import Layout, attached
from dragoman.language.oml.comments import Comment, comments_in
from dragoman.language.oml.findings import Findings, listed, nearest
from dragoman.language.oml.relations import check_relations
from dragoman.language.oml.steps import Step, read_step
from dragoman.language.oml.values import Values, kind_of, text_at
from dragoman.language.oml.yaml_text import read_tree
from dragoman.language.oml.yaml_tree import Listing, Mapping, Node, Refused, Scalar, Tree
from dragoman.language.parameters import PIPELINE
from dragoman.language.secrecy import HINT as SECRET_HINT
from dragoman.language.secrecy import declared_texts, message_of, secrets_in
from dragoman.language.source import Source

VERSION = "0.1.0"
KEYS = ("oml_version", *head.KEYS, "steps")

_FORBIDDEN = {
    "version": 'write oml_version: "0.1.0"',
    "connectors": 'name a component in each step, and its connection in config: connection: "@shop"',
    "tasks": "write steps",
    "outputs": "write a step with a writer, for example component: duckdb.writer, mode: write",
}
_REPLACED = {"version": "oml_version", "tasks": "steps"}
_REQUIRED = {
    "oml_version": 'add oml_version: "0.1.0"',
    "name": "add name: and a name such as export-users",
    "steps": "add steps: and at least one step",
}


def read_oml(source: Source) -> Document:
    """All that the document alone decides: shape, keys, version, modes, ids, needs, parameters, secrets.

    With errors it holds the statements in which nothing is wrong.
    """
    findings = Findings(source)
    tree = read_tree(source, findings)
    if not isinstance(tree.root, Mapping):
        _say_no_pipeline(tree, source, findings)
        return Document(Notation.OML, diagnostics=findings.diagnostics())
    return _Reading(source, tree, tree.root, findings).document()


def _say_no_pipeline(tree: Tree, source: Source, findings: Findings) -> None:
    root = tree.root
    hint = 'begin with oml_version: "0.1.0", then name and steps'
    if root is None or (isinstance(root, Scalar) and root.plain and not root.text):
        if not len(findings):
            findings.error("empty_document", (0, 0), "there is no pipeline in it", hint)
    else:
        message = f"a pipeline is a map, and this is {kind_of(root)}"
        end = source.text.find("\n", root.start, root.end)
        findings.error("wrong_type", (root.start, end if end >= 0 else root.end), message, hint)


class _Reading:
    """One document under way from its tree to its statements."""

    def __init__(self, source: Source, tree: Tree, root: Mapping, findings: Findings) -> None:
        self._source = source
        self._tree = tree
        self._root = root
        self._findings = findings
        self._values = Values(findings)
        self._fields = {key.text: (key, value) for key, value in zip(root.keys, root.values, strict=True)}

    def document(self) -> Document:
        self._check_keys()
        self._check_version()
        head_statement, head_spans = self._head()
        steps = self._steps()
        self._check_between(steps)
        self._check_texts(head_statement, head_spans)
        good = [step for step in steps if not self._findings.within(step.spans.extent)]
        statements = (head_statement, *(step.statement for step in good))
        spans = (head_spans, *(step.spans for step in good))
        statements, ending = self._commented(statements, spans)
        return Document(Notation.OML, statements, spans, ending, self._findings.diagnostics())

    def _check_keys(self) -> None:
        meant: set[str] = set()
        for name, (key, _) in self._fields.items():
            if name in _FORBIDDEN:
                message = f"{name} does not stand in OML {VERSION}"
                self._findings.error("forbidden_key", key.extent, message, _FORBIDDEN[name])
                meant.add(_REPLACED.get(name, ""))
            elif name not in KEYS:
                near = nearest(name, KEYS)
                hint = f"write {near}" if near else f"a pipeline has {listed(KEYS)}"
                message = f"a pipeline has no key {redacted(name)}"
                self._findings.error("unknown_key", key.extent, message, hint)
                meant.add(near or "")
        for name, hint in _REQUIRED.items():
            # A key under another name is one mistake, not two.
            if name not in self._fields and name not in meant and self._tree.whole:
                root = self._root
                extent = root.keys[0].extent if root.keys else (root.start, root.start + 1)
                self._findings.error("missing_key", extent, f"the pipeline has no {name}", hint)

    def _check_version(self) -> None:
        found = text_at(self._fields, "oml_version", self._findings, f'oml_version: "{VERSION}"')
        if found and found[0] != VERSION:
            message = f"this reads OML {VERSION}, not {redacted(found[0])}"
            self._findings.error("unsupported_version", found[1], message, f'write oml_version: "{VERSION}"')

    def _head(self) -> tuple[Statement, StatementSpans]:
        """The head as a statement. Texts in it are taken as written: a name may be `no` or `0123`."""
        arguments: list[Argument] = []
        places: list[ArgumentSpans] = []
        for name, (key, node) in self._fields.items():
            if name in head.KEYS and not isinstance(node, Refused):
                value, place = self._values.read(_as_written(node) if name == "name" else node, name)
                arguments.append(Argument(name, value))
                places.append(ArgumentSpans(key.extent, place))
        statement = Statement(PIPELINE, tuple(arguments))
        first = self._root.keys[0].extent if self._root.keys else (self._root.start, self._root.start + 1)
        spans = StatementSpans(self._root.extent, first, tuple(places))
        head.check_head(statement, spans, self._findings, self._values.keys)
        return statement, spans

    def _steps(self) -> list[Step]:
        node = self._fields["steps"][1] if "steps" in self._fields else None
        if node is None or isinstance(node, Refused):
            return []
        if not isinstance(node, Listing):
            if not self._tree.whole:
                return []
            extent = node.extent if node.end > node.start else self._fields["steps"][0].extent
            message = f"steps is a list, and this is {kind_of(node)}"
            self._findings.error("wrong_type", extent, message, "begin each step with a dash: - id: …")
            return []
        if not node.items:
            message, hint = "a pipeline has at least one step", "add - id: …, component, mode and config"
            self._findings.error("empty_steps", node.extent, message, hint)
        read = [read_step(item, number, self._values) for number, item in enumerate(node.items, 1)]
        return [step for step in read if step is not None]

    def _check_between(self, steps: list[Step]) -> None:
        relations = [step.relations for step in steps if step.relations is not None]
        listing = self._fields["steps"][1] if "steps" in self._fields else None
        written = len(listing.items) if isinstance(listing, Listing) else 0
        whole = self._tree.whole and len(relations) == written
        check_relations(relations, self._findings, whole=whole)

    def _check_texts(self, top: Statement, spans: StatementSpans) -> None:
        """Every text, those in steps in which something else is wrong as well."""
        head.check_references(self._values.texts, top, self._findings)
        for extent, secret in secrets_in([*self._values.texts, *declared_texts(top, spans)]):
            self._findings.error("secret_in_program", extent, message_of(secret), SECRET_HINT)

    def _commented(
        self, statements: Program, spans: tuple[StatementSpans, ...]
    ) -> tuple[Program, tuple[str, ...]]:
        comments = comments_in(self._source.text, self._tree)
        if not comments:
            return statements, ()
        for comment in comments:
            self._check_comment(comment)
        return attached(statements, spans, comments, self._source.text, self._layout())

    def _check_comment(self, comment: Comment) -> None:
        for secret in find_secrets(comment.text)[:1]:
            extent = (comment.start, comment.end)
            self._findings.error("secret_in_program", extent, message_of(secret), SECRET_HINT)

    def _layout(self) -> Layout:
        key, node = self._fields.get("steps", (None, None))
        dash = self._source.position(node.start)[1] - 1 if node is not None else 0
        blocks = frozenset(n.end for n in self._tree.nodes() if isinstance(n, Scalar) and n.block)
        return Layout(key.start if key is not None else len(self._source.text), dash, blocks)


def _as_written(node: Node) -> Node:
    if isinstance(node, Scalar) and node.plain and node.text not in ("", "~"):
        return Scalar(node.start, node.end, node.text, plain=False)
    return node

"""The shape of the house: no import goes in a circle, and no module or function outgrows a reader.

An import counts wherever it is written. One inside a function breaks a circle for the interpreter and not for
whoever has to understand the modules, so it counts like one at the top. Only imports for type checkers do not
count: they never run. Importing a module runs the packages around it too, so these count as imported, except
for those that the importing module is in itself, which run before it anyway.
"""

import ast
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Final

import pytest

from tools.checkout import ROOT

SOURCE: Final = ROOT / "src"
MODULES: Final = sorted((SOURCE / "dragoman").rglob("*.py"))

MOST_LINES: Final = 400
MOST_LINES_OF_A_FUNCTION: Final = 60

ONE_TREE: Final = SOURCE / "dragoman" / "contracts" / "errors.py"
"""The tree of errors is one list, however long it is."""


def test_no_import_goes_in_a_circle() -> None:
    names = {_name(path, SOURCE) for path in MODULES}
    assert not _circle({_name(path, SOURCE): _imported(path, SOURCE, names) for path in MODULES})


def test_no_module_is_too_long() -> None:
    lengths = {path: len(path.read_text("utf-8").splitlines()) for path in MODULES if path != ONE_TREE}
    assert {path: lines for path, lines in lengths.items() if lines > MOST_LINES} == {}


def test_no_function_is_too_long() -> None:
    long = [
        f"{path}:{node.lineno} {node.name}"
        for path in MODULES
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (node.end_lineno or node.lineno) - node.lineno + 1 > MOST_LINES_OF_A_FUNCTION
    ]
    assert long == []


@pytest.mark.parametrize(
    ("first", "second", "circular"),
    [
        ("import house.b", "import house.a", True),
        ("from house import b", "from house.a import x", True),
        ("def f():\n    from house.b import y", "import house.a", True),
        ("import house.room.c", "x = 1", True),
        ("import house.b", "x = 1", False),
        ("import house.b", "import house.room.c", True),
        ("x = 1", "import house.room.c", False),
        ("import house.b", "if TYPE_CHECKING:\n    import house.a", False),
    ],
)
def test_a_circle_is_seen(tmp_path: Path, first: str, second: str, circular: bool) -> None:
    """Two modules beside a package that imports the first of them."""
    texts = {"a.py": first, "b.py": second, "room/__init__.py": "import house.a", "room/c.py": ""}
    for name, text in texts.items():
        path = tmp_path / "house" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    paths = sorted((tmp_path / "house").rglob("*.py"))
    names = {_name(path, tmp_path) for path in paths}
    graph = {_name(path, tmp_path): _imported(path, tmp_path, names) for path in paths}
    assert bool(_circle(graph)) is circular


def _circle(graph: Mapping[str, set[str]]) -> list[str]:
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def _imported(path: Path, source: Path, known: set[str]) -> set[str]:
    """The modules that run because this one does."""
    own = _name(path, source)
    named = {module for node in _running(_tree(path)) for module in _modules(node, known)}
    around = {
        package
        for module in named
        for package in _packages(module)
        if own != package and not own.startswith(f"{package}.")
    }
    return ((named | around) & known) - {own}


def _running(node: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """Every import in a tree, without those that are there for type checkers."""
    if isinstance(node, ast.Import | ast.ImportFrom):
        yield node
        return
    if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
        children: list[ast.AST] = [*node.orelse]
    else:
        children = [*ast.iter_child_nodes(node)]
    for child in children:
        yield from _running(child)


def _modules(node: ast.Import | ast.ImportFrom, known: set[str]) -> list[str]:
    if isinstance(node, ast.Import):
        return [name.name for name in node.names]
    package = node.module or ""
    inside = (f"{package}.{name.name}" for name in node.names)
    return [module if module in known else package for module in inside]


def _packages(module: str) -> list[str]:
    parts = module.split(".")
    return [".".join(parts[:size]) for size in range(1, len(parts))]


def _name(path: Path, source: Path) -> str:
    return ".".join(path.relative_to(source).with_suffix("").parts).removesuffix(".__init__")


def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))

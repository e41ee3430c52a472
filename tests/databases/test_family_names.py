"""Nothing but its own folders knows the name of a family: whoever needs one asks its record."""

import ast
from collections.abc import Callable, Iterator
from pathlib import Path

import dragoman
from dragoman.contracts.family import Family
from dragoman.contracts.schema import Dialect
from dragoman.databases.families.registry import own_families

HOUSE = Path(dragoman.__file__).parent
FAMILIES = HOUSE / "databases" / "families"
COMPONENTS = HOUSE / "engine" / "components"
NAMES = {name for each in own_families() for name in (each.name, *each.spellings)}
FOLDERS = tuple(home / each.name for home in (FAMILIES, COMPONENTS) for each in own_families())
GRAMMAR = (HOUSE / "guards" / "sql", HOUSE / "contracts" / "schema.py")
"""Where the SQL of a dialect is judged, and where its one property that others ask for is said."""

Find = Callable[[ast.AST], Iterator[str]]


def found_in_house(find: Find, *spared: Path) -> list[str]:
    """What is found in the modules of the package, those of the families and some others left out."""
    return [
        f"{path.relative_to(HOUSE)}: {found}"
        for path in sorted(HOUSE.rglob("*.py"))
        if not any(path.is_relative_to(each) for each in (*FOLDERS, *spared))
        for found in find(ast.parse(path.read_text(encoding="utf-8")))
    ]


def compared(tree: ast.AST) -> Iterator[ast.AST]:
    """Everything that something is compared with: by an operator, by a case, by the keys of a table."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare():
                yield from ast.walk(node)
            case ast.MatchValue():
                yield from ast.walk(node.value)
            case ast.Call(func=ast.Attribute(value=ast.Dict(keys=keys), attr="get")):
                yield from (key for key in keys if key is not None)


def family_names(tree: ast.AST) -> Iterator[str]:
    for node in compared(tree):
        if isinstance(node, ast.Constant) and node.value in NAMES:
            yield f"{node.value!r} in line {node.lineno}"


def dialects(tree: ast.AST) -> Iterator[str]:
    for node in compared(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="Dialect"), attr=member) if member in Dialect.__members__:
                yield f"Dialect.{member} in line {node.lineno}"


def family_modules(tree: ast.AST) -> Iterator[str]:
    homes = ("dragoman.databases.families", "dragoman.engine.components")
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module=str(module), names=names):
                imported = [module, *(f"{module}.{each.name}" for each in names)]
            case ast.Import(names=names):
                imported = [each.name for each in names]
            case _:
                continue
        for name in imported:
            for home in homes:
                if name.removeprefix(f"{home}.").partition(".")[0] in NAMES and name.startswith(home):
                    yield name


def test_every_own_family_is_a_folder() -> None:
    assert {"sqlite", "duckdb", "files", "mysql", "postgres", "supabase"} <= NAMES
    assert all((FAMILIES / each.name / "family.py").is_file() for each in own_families())


def test_no_module_compares_with_the_name_of_a_family() -> None:
    assert found_in_house(family_names) == []


def test_no_module_imports_a_family_by_its_name() -> None:
    assert found_in_house(family_modules) == []


def test_no_module_compares_with_a_dialect() -> None:
    """A dialect is what its SQL is like; where that matters, data or a property of the dialect says how."""
    assert found_in_house(dialects, *GRAMMAR) == []


def test_what_is_looked_for_would_be_found() -> None:
    ladder = """
from dragoman.databases.families.mysql.target import MysqlTarget
match spec.family:
    case "mysql": pass
if spec.family in ("files", None) or dialect is Dialect.SQLITE: pass
{"supabase": "postgres"}.get(spec.family)
"""
    tree = ast.parse(ladder)
    assert len(set(family_names(tree))) == 3
    assert len(list(dialects(tree))) == 1
    assert len(set(family_modules(tree))) == 2


def test_the_page_on_extending_names_every_field_of_the_record() -> None:
    page = (HOUSE.parents[1] / "docs" / "extending.md").read_text(encoding="utf-8")
    section = page.partition("### The record")[2].partition("\n## ")[0]
    told = [line.split("`")[1] for line in section.splitlines() if line.startswith("| `")]
    assert told == list(Family.__struct_fields__)

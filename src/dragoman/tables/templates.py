"""Small pieces of SQL of ours, read as trees, with other trees put into them."""

from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import sqlglot
import yaml
from sqlglot import exp

from dragoman.contracts.schema import Dialect


def filled(template: str, dialect: Dialect, **parts: exp.Expr) -> exp.Expr:
    """The tree of a template; a name in it that is one of the parts becomes that part."""
    # In brackets while parts are put in, so that a template that is nothing but one name can be replaced like
    # any other.
    root = exp.Paren(this=_read(template, dialect).copy())
    for node in list(root.find_all(exp.Column)):
        part = parts.get(node.name) if not node.table else None
        if part is not None:
            node.replace(apart(part.copy()))
    tree: exp.Expr = root.this
    return tree.pop()


def apart(tree: exp.Expr) -> exp.Expr:
    """In brackets, where what stands around it could tear it in two."""
    loose = (exp.Binary, exp.Unary, exp.Connector, exp.In, exp.Between, exp.Collate, exp.AtTimeZone)
    return (
        exp.Paren(this=tree)
        if isinstance(tree, loose) and not isinstance(tree, exp.Paren | exp.Dot)
        else tree
    )


def piece(group: str, dialect: Dialect, name: str) -> str | None:
    """A template of the table, where the dialect needs one."""
    found: str | None = _pieces()[group].get(dialect.value, {}).get(name)
    return found


def has_trait(name: str, dialect: Dialect) -> bool:
    return dialect.value in _pieces()["traits"][name]


def piece_of(group: str, dialect: Dialect) -> str:
    found: str = _pieces()[group][dialect.value]
    return found


@lru_cache(maxsize=512)
def _read(template: str, dialect: Dialect) -> exp.Expr:
    return sqlglot.parse_one(template, read=dialect.value)


@cache
def _pieces() -> dict[str, Any]:
    text = files("dragoman.tables").joinpath("expressions.yaml").read_text(encoding="utf-8")
    loaded: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return loaded

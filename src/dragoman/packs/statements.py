"""What the SQL of a verb must be: one query, or one change of a declared table, that asks for what is given.

SQL in a pack is trusted as code is; this is the check that it gets when it is loaded.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple

import yaml
from sqlglot import exp, parse
from sqlglot.errors import ParseError, TokenError

from dragoman.contracts.pack import DATE_ARGUMENTS, ArgumentKind, DateUse, PackVerb
from dragoman.contracts.schema import Dialect
from dragoman.contracts.verb import Effect
from dragoman.guards.sql import MAX_CHARACTERS, why_not_read_only
from dragoman.language.oml.findings import listed

USER = "user"
"""The parameter of a policy's condition: who asks. No argument may have its name."""

_ODD_PARAMETERS = (exp.Parameter, exp.SessionParameter)
_OF_A_CHANGE: dict[type[exp.Expr], frozenset[str]] = {
    exp.Insert: frozenset({"this", "expression"}),
    exp.Update: frozenset({"this", "expressions", "where"}),
    exp.Delete: frozenset({"this", "where"}),
}
"""The parts that a change may have. RETURNING, ON CONFLICT, further tables and the like are not portable, or
change more than is declared."""


class Fault(NamedTuple):
    """Something wrong with SQL. `word` stands in it where the fault is; `minor` ones are warnings."""

    code: str
    message: str
    hint: str
    word: str = ""
    minor: bool = False


def declared_parameters(verb: PackVerb) -> dict[str, str]:
    """The parameters that a verb's SQL may ask for, and the argument that gives each."""
    declared: dict[str, str] = {}
    for name, argument in verb.arguments.items():
        stem = name.replace("-", "_")
        if argument.kind is ArgumentKind.PERIOD:
            declared |= {f"{stem}_start": name, f"{stem}_end": name}
        else:
            declared[stem] = name
    match verb.date:
        case DateUse.AS_OF:
            declared["as_of"] = DATE_ARGUMENTS[verb.date]
        case DateUse.PERIOD:
            declared |= {"start": DATE_ARGUMENTS[verb.date], "end": DATE_ARGUMENTS[verb.date]}
        case None:
            pass
    return declared


def read_statement(sql: str, dialect: Dialect) -> exp.Expr | Fault:
    """The one statement in a text."""
    if len(sql) > MAX_CHARACTERS:
        return Fault("sql_too_long", f"the SQL has more than {MAX_CHARACTERS:,} characters", "write less")
    try:
        statements = [each for each in parse(sql, read=dialect.value) if each is not None]
    except (ParseError, TokenError) as error:
        return _unreadable(error, dialect)
    except TypeError:
        # What sqlglot itself trips over, `SELECT 0?`, nobody can read.
        return Fault("sql_unreadable", f"the SQL is not {dialect.value}", "mend it")
    except RecursionError:
        return Fault("sql_unreadable", "the SQL is nested too deeply", "write it flatter")
    if len(statements) != 1:
        return Fault(
            "not_one_statement", f"a verb is one statement, this has {len(statements)}", "write one statement"
        )
    return statements[0]


def _unreadable(error: ParseError | TokenError, dialect: Dialect) -> Fault:
    details = error.errors[0] if isinstance(error, ParseError) and error.errors else {}
    what = str(details.get("description") or "it cannot be divided into words")
    word = str(details.get("highlight") or "")
    near = f" near {word!r}" if word else ""
    return Fault("sql_unreadable", f"the SQL is not {dialect.value}: {what}{near}", "mend it", word)


def faults_of(verb: PackVerb, dialect: Dialect) -> Iterator[Fault]:
    """Everything that is wrong with the SQL of a verb, as far as it can be said without a database."""
    tree = read_statement(verb.sql, dialect)
    if isinstance(tree, Fault):
        yield tree
        return
    match verb.effect:
        case Effect.READ:
            yield from _of_a_query(tree, verb, dialect)
        case Effect.WRITE:
            yield from _of_a_write(tree, verb)
        case Effect.TRANSFORM:
            hint = "write effect: read, or effect: write"
            yield Fault("wrong_effect", "a verb with SQL reads or writes", hint)
    yield from _functions(tree)
    yield from _parameters(tree, verb)


def _of_a_query(tree: exp.Expr, verb: PackVerb, dialect: Dialect) -> Iterator[Fault]:
    if (reason := why_not_read_only(verb.sql, dialect.value)) is not None:
        yield Fault("not_a_query", reason, "write one SELECT, or declare effect: write")
        return
    if verb.writes:
        yield Fault("writes_of_a_query", "a verb that reads writes no tables", "remove writes:")
    if not verb.columns:
        yield Fault("no_columns", "the columns of the result are not declared", "declare them under columns:")
        return
    if not isinstance(tree, exp.Query):
        return
    if any(isinstance(each, exp.Star) or each.is_star for each in tree.selects):
        yield Fault("star", "* gives whatever columns there are", "name every column", "*")
        return
    given, declared = tree.named_selects, [column.name for column in verb.columns]
    if len(given) != len(declared):
        message = f"the SQL gives {len(given)} columns, declared are {len(declared)}"
        yield Fault("column_count", message, f"the SQL gives: {listed(given)}")
        return
    for got, wanted in zip(given, declared, strict=True):
        if got != wanted:
            message = f"the SQL gives the column {got or 'without a name'} where {wanted} is declared"
            yield Fault("column_name", message, f"write AS {wanted}, or declare it as it is", got)


def _of_a_write(tree: exp.Expr, verb: PackVerb) -> Iterator[Fault]:
    allowed = _OF_A_CHANGE.get(type(tree))
    if allowed is None:
        what = tree.key.upper()
        yield Fault("not_a_change", f"{what} is no change of rows", "write one INSERT, UPDATE or DELETE")
        return
    if verb.columns:
        yield Fault("columns_of_a_write", "a verb that writes has no result", "remove columns:")
    given = {name for name, part in tree.args.items() if part}
    if odd := sorted(given - allowed):
        message = f"a {tree.key.upper()} may not have {listed(odd)}"
        yield Fault("change_too_wide", message, "change rows of one table, and ask for nothing back")
    if isinstance(tree, exp.Update | exp.Delete) and "where" not in given:
        yield Fault("no_condition", f"this {tree.key.upper()} changes every row", "say which rows: WHERE …")
    yield from _targets(tree, verb)
    nested = [node for node in tree.walk() if node is not tree and isinstance(node, exp.DML | exp.DDL)]
    if any(not isinstance(node, exp.Query) for node in nested):
        yield Fault("change_too_wide", "there is a second change inside it", "write one change")


def _targets(tree: exp.Expr, verb: PackVerb) -> Iterator[Fault]:
    target = target_of(tree)
    if target is None or target.args.get("joins"):
        yield Fault("change_too_wide", "it is not one table that is changed", "change rows of one table")
        return
    if not verb.writes:
        yield Fault(
            "writes_missing", "the tables it changes are not declared", f"add writes: [{target.name}]"
        )
    elif target.name not in verb.writes:
        message = f"it changes {target.name}, declared are {listed(verb.writes)}"
        yield Fault("writes_undeclared", message, "declare what it changes under writes:", target.name)
    for name in verb.writes:
        if name != target.name:
            yield Fault("writes_unused", f"it does not change {name}", "remove it from writes:")


def target_of(tree: exp.Expr) -> exp.Table | None:
    """The table that a change is about."""
    inner = tree.this.this if isinstance(tree.this, exp.Schema) else tree.this
    return inner if isinstance(inner, exp.Table) and isinstance(inner.this, exp.Identifier) else None


def created_key(verb: PackVerb, column: str, dialect: Dialect) -> str | None:
    """The argument that gives the key of what a create verb makes: what it puts into the key's column."""
    return inserted_argument(verb, column, dialect)


def inserted_argument(verb: PackVerb, column: str, dialect: Dialect) -> str | None:
    """The argument that a verb puts into a column of the row it makes."""
    tree = read_statement(verb.sql, dialect)
    if not isinstance(tree, exp.Insert) or not isinstance(tree.this, exp.Schema):
        return None
    columns = [each.name for each in tree.this.expressions]
    rows = tree.expression.expressions if isinstance(tree.expression, exp.Values) else []
    if column not in columns or len(rows) != 1 or len(rows[0].expressions) != len(columns):
        return None
    value = rows[0].expressions[columns.index(column)]
    return declared_parameters(verb).get(value.name) if isinstance(value, exp.Placeholder) else None


@lru_cache(maxsize=1)
def harmless_functions() -> frozenset[str]:
    text = files("dragoman.packs").joinpath("functions.yaml").read_text(encoding="utf-8")
    return frozenset(yaml.load(text, Loader=yaml.CSafeLoader))


def _functions(tree: exp.Expr) -> Iterator[Fault]:
    called = {_name(node): None for node in tree.find_all(exp.Func)}
    for name in called:
        if name.lower() not in harmless_functions():
            message = f"the function {name} is not one that a pack may call"
            yield Fault("function", message, "compute it from the columns with plain SQL", name)
    for node in tree.find_all(exp.Table):
        if not isinstance(node.this, exp.Identifier):
            yield Fault("function", "a function stands where a table should", "read from a table")


def _name(function: exp.Func) -> str:
    return function.name if isinstance(function, exp.Anonymous) else function.sql_name()


def _parameters(tree: exp.Expr, verb: PackVerb) -> Iterator[Fault]:
    declared = declared_parameters(verb)
    asked = dict.fromkeys(str(node.this or "") for node in tree.find_all(exp.Placeholder))
    odd = any(not name for name in asked) or tree.find(*_ODD_PARAMETERS) is not None
    if odd:
        yield Fault("unnamed_parameter", "parameters have names", "write :name for an argument")
    for name in asked:
        if name and name not in declared:
            known = listed(f":{each}" for each in declared)
            message = f"the SQL asks for :{name}, which no argument gives"
            yield Fault("unknown_parameter", message, f"declared are {known}", f":{name}")
    for name, argument in declared.items():
        if name not in asked:
            message = f"the SQL does not ask for :{name}"
            yield Fault("unused_argument", message, f"use it, or take the argument {argument} away")
    yield from _optional(tree, verb)


def _optional(tree: exp.Expr, verb: PackVerb) -> Iterator[Fault]:
    """An optional argument of a query that is compared without `:x IS NULL` finds nothing when left out."""
    if verb.effect is not Effect.READ:
        return
    tested = {
        node.this.name
        for node in tree.find_all(exp.Is)
        if isinstance(node.this, exp.Placeholder) and isinstance(node.expression, exp.Null)
    }
    for name, argument in verb.arguments.items():
        parameter = name.replace("-", "_")
        used = any(node.name == parameter for node in tree.find_all(exp.Placeholder))
        if not argument.required and used and parameter not in tested:
            message = f"without :{parameter} the SQL compares with nothing"
            hint = f"write (:{parameter} IS NULL OR …)"
            yield Fault("optional_unguarded", message, hint, f":{parameter}", minor=True)


def place_of(word: str, text: str) -> re.Match[str] | None:
    """Where a word of SQL stands in a text, as a word of its own."""
    if not word:
        return None
    before = r"(?<![\w:])" if word[0] == ":" else r"(?<!\w)"
    return re.search(
        before + re.escape(word) + (r"(?!\w)" if word[-1].isalnum() else ""), text, re.IGNORECASE
    )

"""The query as a tree: every kind of expression in it is known to be harmless, or it is refused by name."""

import re
from collections.abc import Callable

from sqlglot import exp

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql.policy import Policy, known_nodes, policy_of
from dragoman.guards.sql.verdict import Refusal, SqlCode, shown

_NUMBER = re.compile(r"(\d[\d_]*(\.\d*)?|\.\d+)([eE][+-]?\d+)?")
_WORD = re.compile(r"[^\W\d][\w$ .-]*")
_HOLDER = re.compile(r"\w*")
_TYPE_NAME = re.compile(r"[a-z_]\w*(\.[a-z_]\w*)?")

_MODIFIERS = frozenset(
    {"STRAIGHT_JOIN", "SQL_NO_CACHE", "SQL_SMALL_RESULT", "SQL_BIG_RESULT", "SQL_CALC_FOUND_ROWS"}
)
_CHARACTER_SETS = frozenset({"_utf8", "_utf8mb4", "_utf8mb3", "_ascii", "_latin1", "_binary"})
_FIELDS = frozenset({"key", "value"})
"""What PostgreSQL's own record-making functions call their fields."""

_AROUND_A_QUERY = (exp.Subquery, exp.CTE, exp.SetOperation, exp.Exists, exp.Array, exp.All, exp.Any)

_KINDS: tuple[tuple[type[exp.Expr] | tuple[type[exp.Expr], ...], SqlCode, str], ...] = (
    (exp.Into, SqlCode.INTO, "INTO writes the rows somewhere"),
    (exp.Lock, SqlCode.LOCK, "the query locks rows"),
    ((exp.Parameter, exp.SessionParameter), SqlCode.VARIABLE, "the query uses a variable of the server"),
    (exp.PropertyEQ, SqlCode.VARIABLE, "the query sets a variable"),
    (exp.Hint, SqlCode.HINT, "the query has a hint for the server"),
    (exp.Operator, SqlCode.OPERATOR, "the query names an operator by its schema"),
    ((exp.ObjectIdentifier, exp.PseudoType), SqlCode.TYPE, "the query uses a type of the system catalog"),
    ((exp.DML, exp.DDL), SqlCode.CHANGES_DATA, ""),
)


def fault_of_tree(tree: exp.Expr, dialect: Dialect) -> Refusal | None:
    known, policy = known_nodes(), policy_of(dialect)
    for node in tree.walk():
        kind = type(node)
        if kind.__name__ not in known:
            return _unknown(node)
        rule = _RULES.get(kind)
        if rule is not None and (fault := rule(node, dialect, policy)) is not None:
            return fault
    return None


def _unknown(node: exp.Expr) -> Refusal:
    for kinds, code, reason in _KINDS:
        if isinstance(node, kinds):
            return Refusal(code, reason or f"{_title(node)} does more than read")
    if isinstance(node, exp.Func):
        name = node.sql_name().lower().replace("x_m_l", "xml").replace("j_s_o_n", "json")
        return Refusal(SqlCode.FUNCTION, f"the function {shown(name)} is not allowed")
    return Refusal(SqlCode.CONSTRUCT, f"{_title(node)} is not allowed in a query")


def _title(node: exp.Expr) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", " ", type(node).__name__).upper()


def _literal(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    text = str(node.this)
    if node.args.get("is_string"):
        return Refusal(SqlCode.CHARACTER, "a text in the query has a NUL in it") if "\0" in text else None
    if not _NUMBER.fullmatch(text) or ("_" in text and dialect is not Dialect.DUCKDB):
        return Refusal(SqlCode.TWO_READINGS, f"{shown(text)} is not a plain number")
    return None


def _identifier(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    # MySQL reads 1e1 as a number or as a name, by what comes after it.
    if not node.args.get("quoted") and node.name[:1].isdigit():
        return Refusal(SqlCode.TWO_READINGS, f"the name {shown(node.name)} needs quotes around it")
    return None


def _var(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    if not _WORD.fullmatch(node.name):
        return Refusal(SqlCode.TWO_READINGS, f"{shown(node.name)} cannot stand here")
    return None


def _placeholder(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    if not _HOLDER.fullmatch(str(node.this or "")):
        return Refusal(SqlCode.TWO_READINGS, f"{shown(node.name)} is no name of a parameter")
    return None


def _parameter(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    numbered = isinstance(node.this, exp.Literal) and node.this.name.isdigit()
    if numbered and dialect in (Dialect.POSTGRES, Dialect.DUCKDB):
        return None
    return _unknown(node)


def _assignment(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    # In DuckDB it names a field of a struct.
    return None if dialect is Dialect.DUCKDB else _unknown(node)


def _introducer(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    if node.name.lower() not in _CHARACTER_SETS:
        return Refusal(SqlCode.TWO_READINGS, f"the character set {shown(node.name)} is not taken")
    return None


def _membership(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    # SQLite reads a table there, and nothing in the tree says that it is one.
    if node.args.get("field") is not None and dialect is not Dialect.DUCKDB:
        return Refusal(SqlCode.TABLE, "IN needs brackets: a bare name after it would be a table")
    return None


def _query(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    # The parser takes SELECT * FROM SELECT 1; no server does, and where its clauses belong is a guess.
    if isinstance(node.parent, _AROUND_A_QUERY) or node.parent is None:
        return None
    return Refusal(SqlCode.TWO_READINGS, "a query inside the query needs brackets around it")


def _select(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    if (fault := _query(node, dialect, policy)) is not None:
        return fault
    for modifier in node.args.get("operation_modifiers") or ():
        if modifier.name.upper() not in _MODIFIERS:
            return Refusal(SqlCode.CONSTRUCT, f"{shown(modifier.name)} is not allowed in a query")
    return None


def _data_type(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    kind = node.args.get("kind")
    written = kind.sql(dialect=dialect.value) if isinstance(kind, exp.Expr) else str(kind or "")
    name = (written or getattr(node.this, "value", str(node.this))).lower()
    bare = name.replace('"', "").removeprefix("pg_catalog.").lstrip("_")
    system = policy.system
    if bare in system.types or bare.startswith(system.type_prefixes or ("\0",)):
        return Refusal(SqlCode.TYPE, f"the type {shown(bare)} belongs to the system catalog")
    if written and not _TYPE_NAME.fullmatch(name.replace('"', "")):
        return Refusal(SqlCode.TYPE, f"the type {shown(name)} is not allowed")
    return None


def _dot(node: exp.Expr, dialect: Dialect, policy: Policy) -> Refusal | None:
    """In PostgreSQL a field that is no field is a function: ('x').pg_read_file calls it."""
    if dialect is not Dialect.POSTGRES:
        return None
    field = node.expression
    # A function with brackets is judged by its name, with all the others.
    if isinstance(field, exp.Star | exp.Func) or is_field(field.name, policy):
        return None
    return Refusal(SqlCode.FIELD, f"the field {shown(field.name)} might be a function that is called so")


def is_field(name: str, policy: Policy) -> bool:
    return name in _FIELDS or name in policy.functions.names


_RULES: dict[type[exp.Expr], Callable[[exp.Expr, Dialect, Policy], Refusal | None]] = {
    exp.Literal: _literal,
    exp.Identifier: _identifier,
    exp.Var: _var,
    exp.Placeholder: _placeholder,
    exp.Parameter: _parameter,
    exp.PropertyEQ: _assignment,
    exp.Introducer: _introducer,
    exp.In: _membership,
    exp.Select: _select,
    exp.Union: _query,
    exp.Except: _query,
    exp.Intersect: _query,
    exp.DataType: _data_type,
    exp.Dot: _dot,
}

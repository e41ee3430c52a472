"""Decimals without a scale whose SQL gives fractions: they are only as exact as the database adds them."""

from collections.abc import Iterator

from sqlglot import exp

from dragoman.contracts.pack import Pack, PackVerb
from dragoman.contracts.schema import ColumnInfo, DatabaseSchema, ValueType
from dragoman.contracts.verb import Effect
from dragoman.packs.marks import Mark, Path
from dragoman.packs.sources import Scopes, TableLookup
from dragoman.packs.statements import Fault, read_statement
from dragoman.tables.measures import scale_in

_DEEPEST = 20
"""Parts of a query inside each other."""
_WHOLE = (exp.Count, exp.Floor, exp.Ceil, exp.RowNumber, exp.Sign)
_BROKEN = (exp.Avg, exp.Div)


def missing_scales(pack: Pack, schema: DatabaseSchema) -> Iterator[Mark]:
    """A warning for each decimal column of a result that has no scale though its SQL may give fractions."""
    fractions = _Fractions(schema)
    for name, verb in pack.verbs.items():
        if verb.effect is Effect.READ:
            yield from _of_a_verb(verb, read_statement(verb.sql, pack.dialect), fractions, ("verbs", name))


def _of_a_verb(verb: PackVerb, tree: exp.Expr | Fault, fractions: "_Fractions", at: Path) -> Iterator[Mark]:
    # One that cannot be read, or gives other columns, was found wrong already.
    if not isinstance(tree, exp.Query) or len(tree.selects) != len(verb.columns):
        return
    for number, (column, given) in enumerate(zip(verb.columns, tree.selects, strict=True)):
        if column.type is ValueType.DECIMAL and column.scale is None and fractions.given_by(given):
            message = f"{column.name} has no scale, and the SQL may give fractions"
            hint = "compute whole numbers and declare them: CAST(ROUND(… * 100) AS BIGINT) with scale: 2"
            yield Mark("missing_scale", message, hint, (*at, "columns", number), minor=True)


class _Fractions:
    """Tells whether an expression may give fractions, as far as the types of columns say it."""

    def __init__(self, schema: DatabaseSchema) -> None:
        self._lookup = TableLookup(schema)
        self._scopes = Scopes(self._lookup)

    def given_by(self, tree: exp.Expr, depth: int = 0) -> bool:
        if depth > _DEEPEST or isinstance(tree, _WHOLE):
            return False
        match tree:
            case exp.Column():
                return any(self._of_source(each, tree.name, depth) for each in self._scopes.sources_of(tree))
            case exp.Literal():
                return not tree.is_string and "." in tree.name
            case exp.Round():
                places = tree.args.get("decimals")
                return places is not None and places.name != "0"
            case exp.Cast():
                return self._of_type(tree, depth)
            case exp.Case():
                ends = [each.args["true"] for each in tree.args["ifs"]]
                otherwise = tree.args.get("default")
                ends += [otherwise] if otherwise is not None else []
                return any(self.given_by(each, depth + 1) for each in ends)
            case exp.Subquery() | exp.Select():
                return any(self.given_by(each, depth + 1) for each in tree.selects)
            case _ if isinstance(tree, _BROKEN):
                return True
            case _:
                parts = list(tree.iter_expressions())
                return any(self.given_by(each, depth + 1) for each in parts)

    def _of_type(self, tree: exp.Cast, depth: int) -> bool:
        kind = tree.to
        if kind.this in (exp.DataType.Type.DECIMAL, *exp.DataType.REAL_TYPES):
            if not kind.expressions:
                return self.given_by(tree.this, depth + 1)
            return len(kind.expressions) > 1 and kind.expressions[1].name != "0"
        return False

    def _of_source(self, source: exp.Expr, name: str, depth: int) -> bool:
        inner = source if isinstance(source, exp.Subquery) else _part(source)
        if inner is not None:
            given = [each for each in inner.selects if each.alias_or_name.casefold() == name.casefold()]
            return any(self.given_by(each, depth + 1) for each in given)
        known = self._lookup.table(source.name, source.text("db")) if isinstance(source, exp.Table) else None
        columns = known.columns if known is not None else ()
        return any(_has_fractions(each) for each in columns if each.name.casefold() == name.casefold())


def _part(source: exp.Expr) -> exp.Query | None:
    """The WITH part that a name stands for."""
    if not isinstance(source, exp.Table) or source.db:
        return None
    for part in source.root().find_all(exp.CTE):
        if part.alias.casefold() == source.name.casefold() and isinstance(part.this, exp.Query):
            return part.this
    return None


def _has_fractions(column: ColumnInfo) -> bool:
    match column.type:
        case ValueType.DECIMAL:
            return scale_in(column.native) != 0
        case ValueType.FLOAT:
            return True
        case _:
            return False

"""The SQL of a draft: amounts as exact as the tables give them, periods by their days."""

from sqlglot import exp

from dragoman.contracts.record import Record
from dragoman.contracts.schema import ColumnInfo, Dialect, TableInfo, ValueType
from dragoman.tables import expressions
from dragoman.tables.measures import MOST_SCALE, scale_in

TABLE = "t"


class Amount(Record, frozen=True, gc=True):
    """An expression, and how many decimal places its whole numbers carry; without a scale it gives what there
    is."""

    tree: exp.Expr
    scale: int | None = None

    @property
    def declared(self) -> str:
        """What the declaration of its column says beside the type."""
        # As many places are shown: the tables show 12.50 as 12.50, too.
        return "" if self.scale is None else f", scale: {self.scale}, places: {self.scale}"


def column_of(column: ColumnInfo) -> exp.Column:
    return exp.column(exp.to_identifier(column.name, quoted=True), table=TABLE)


def table_of(table: TableInfo) -> exp.Table:
    schema = exp.to_identifier(table.schema, quoted=True) if table.schema else None
    return exp.Table(
        this=exp.to_identifier(table.name, quoted=True),
        db=schema,
        alias=exp.TableAlias(this=exp.to_identifier(TABLE)),
    )


def shown_amount(column: ColumnInfo, dialect: Dialect) -> Amount:
    """A column of one row."""
    scale = _scale(column)
    return Amount(column_of(column) if scale is None else _whole(column_of(column), scale, dialect), scale)


def total_amount(column: ColumnInfo, dialect: Dialect) -> Amount:
    """The sum of a column. SQLite adds decimals as floats: there each becomes a whole number first."""
    scale = _scale(column)
    if scale is None:
        return Amount(exp.Sum(this=column_of(column)))
    if dialect.is_untyped:
        return Amount(exp.Sum(this=_whole(column_of(column), scale, dialect)), scale)
    return Amount(_whole(exp.Sum(this=column_of(column)), scale, dialect), scale)


def day_of(column: ColumnInfo, dialect: Dialect) -> exp.Expr:
    """What a period is compared with. The last day of a period has hours, and a moment a zone."""
    if column.type is ValueType.DATE and not dialect.is_untyped:
        return column_of(column)
    return expressions.day(column_of(column), column.type, dialect)


def _scale(column: ColumnInfo) -> int | None:
    """How many places a decimal has; None where it is none, or has more than can be counted in."""
    scale = scale_in(column.native) if column.type is ValueType.DECIMAL else None
    return scale if scale is not None and scale <= MOST_SCALE else None


def _whole(tree: exp.Expr, scale: int, dialect: Dialect) -> exp.Expr:
    """A decimal as a whole number of its smallest unit. 64 bits would not hold every sum."""
    unit = exp.Mul(this=tree, expression=exp.Literal.number(10**scale)) if scale else tree
    return exp.cast(exp.Round(this=unit), "BIGINT" if dialect.is_untyped else "DECIMAL(38, 0)")

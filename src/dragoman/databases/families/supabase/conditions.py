"""WHERE, as PostgREST's tree of filters: the same three-valued logic, written otherwise."""

import decimal
from collections.abc import Callable

from sqlglot import exp

from dragoman.contracts.errors import ParameterRefused
from dragoman.contracts.query import Value
from dragoman.contracts.schema import Dialect, ValueType
from dragoman.databases.access.native_types import value_type
from dragoman.databases.families.supabase.description import RestColumn
from dragoman.databases.families.supabase.literals import cannot, operand, pattern, quoted

MOST_DEPTH = 100

_COMPARED: dict[type[exp.Expression], tuple[str, str]] = {
    exp.EQ: ("eq", "eq"),
    exp.NEQ: ("neq", "neq"),
    exp.LT: ("lt", "gt"),
    exp.LTE: ("lte", "gte"),
    exp.GT: ("gt", "lt"),
    exp.GTE: ("gte", "lte"),
}
"""Each comparison, and what it is with its sides changed over."""

ColumnOf = Callable[[exp.Column], RestColumn]


class Conditions:
    def __init__(self, parameters: tuple[Value, ...], column_of: ColumnOf, any_column: RestColumn) -> None:
        self._parameters = parameters
        self._column_of = column_of
        self._any = any_column

    def tree(self, node: exp.Expression, depth: int = 0) -> str:
        """One condition of a filter. Raises RestCannot."""
        if depth > MOST_DEPTH:
            raise cannot("where", "for conditions within conditions so deep")
        if node.args.get("negate"):
            plain = node.copy()
            plain.set("negate", None)
            return f"not.and({self.tree(plain, depth + 1)})"
        match node:
            case exp.Paren():
                return self.tree(node.this, depth + 1)
            case exp.And() | exp.Or():
                joint = "and" if isinstance(node, exp.And) else "or"
                only(node, "this", "expression")
                return f"{joint}({','.join(self.tree(each, depth + 1) for each in _flat(node))})"
            case exp.Not():
                # A filter is negated by being the only one of a group.
                return f"not.and({self.tree(node.this, depth + 1)})"
            case exp.Between():
                only(node, "this", "low", "high")
                column = self._column(node.this)
                low, high = (self._operand(column, node.args[end]) for end in ("low", "high"))
                name = quoted(column.name)
                return f"and({name}.gte.{low},{name}.lte.{high})"
            case exp.Like() | exp.ILike():
                only(node, "this", "expression")
                column = self._column(node.this)
                asked = pattern(column, self._value(node.expression), fold=isinstance(node, exp.ILike))
                return f"{quoted(column.name)}.{asked}"
            case exp.Is():
                only(node, "this", "expression")
                return self._is(node, depth)
            case exp.In():
                only(node, "this", "expressions")
                return self._in(node)
            case exp.Column():
                column = self._column(node)
                if column.type is not ValueType.BOOLEAN:
                    raise cannot("where", f"for {column.name!r} as a condition: it is not true or false")
                return f'{quoted(column.name)}.eq."true"'
            case _ if type(node) in _COMPARED:
                only(node, "this", "expression")
                return self._compared(node)
            case _:
                raise cannot("where", f"with a condition of the kind {part_of(node)}")

    def _compared(self, node: exp.Expression) -> str:
        straight, turned = _COMPARED[type(node)]
        left, right = node.this, node.args["expression"]
        if isinstance(left, exp.Column) and isinstance(right, exp.Column):
            raise cannot("where", "how one column compares with another")
        if not isinstance(left, exp.Column) and not isinstance(right, exp.Column):
            return self._constant(node)
        if isinstance(left, exp.Column):
            column = self._column(left)
            return f"{quoted(column.name)}.{straight}.{self._operand(column, right)}"
        column = self._column(right)
        return f"{quoted(column.name)}.{turned}.{self._operand(column, left)}"

    def _surely(self, node: exp.Expression, truth: bool, depth: int) -> str:
        """A condition IS TRUE, or IS FALSE: the two sides of which one always holds, even of nothing."""
        if depth > MOST_DEPTH:
            raise cannot("where", "for conditions within conditions so deep")
        match node:
            case exp.Paren():
                return self._surely(node.this, truth, depth + 1)
            case exp.Not():
                return self._surely(node.this, not truth, depth + 1)
            case exp.And() | exp.Or():
                joint = "and" if isinstance(node, exp.And) is truth else "or"
                parts = ",".join(self._surely(each, truth, depth + 1) for each in _flat(node))
                return f"{joint}({parts})"
            case _:
                sides = node.find_all(exp.Column)
                known = ",".join(f"{quoted(self._column(each).name)}.not.is.null" for each in sides)
                told = self.tree(node if truth else exp.Not(this=node.copy()), depth + 1)
                # Where IS NULL is asked there is an answer for nothing too.
                return told if isinstance(node, exp.Is) or not known else f"and({told},{known})"

    def _constant(self, node: exp.Expression) -> str:
        """A comparison of two numbers, which some queries have to say yes or no: asked of any column."""
        left, right = self._value(node.this), self._value(node.args["expression"])
        if not isinstance(node, exp.EQ) or not isinstance(left, int) or not isinstance(right, int):
            raise cannot("where", "how one value compares with another")
        name = quoted(self._any.name)
        return f"{'or' if left == right else 'and'}({name}.is.null,{name}.not.is.null)"

    def _is(self, node: exp.Is, depth: int) -> str:
        what = node.expression
        if isinstance(node.this, exp.Paren) and isinstance(what, exp.Boolean):
            return self._surely(node.this, bool(what.this), depth + 1)
        column = self._column(node.this)
        match what:
            case exp.Null():
                return f"{quoted(column.name)}.is.null"
            case exp.Boolean() if column.type is ValueType.BOOLEAN:
                return f"{quoted(column.name)}.is.{'true' if what.this else 'false'}"
            case _:
                raise cannot("where", f"whether {column.name!r} IS {part_of(what)}")

    def _in(self, node: exp.In) -> str:
        column = self._column(node.this)
        operands = [self._operand(column, each) for each in node.expressions]
        # A list of one empty text would be read as a list of nothing.
        if len(operands) == 1:
            return f"{quoted(column.name)}.eq.{operands[0]}"
        if not operands:
            raise cannot("where", "for a list that is a query")
        return f"{quoted(column.name)}.in.({','.join(operands)})"

    def _column(self, node: exp.Expression) -> RestColumn:
        if not isinstance(node, exp.Column):
            raise cannot("where", f"what {part_of(node)} compares with")
        return self._column_of(node)

    def _operand(self, column: RestColumn, node: exp.Expression) -> str:
        if isinstance(node, exp.Cast):
            only(node, "this", "to", "_type")
            held = value_type(Dialect.POSTGRES, node.to.sql(dialect=Dialect.POSTGRES.value))
            if held is not column.type:
                raise cannot("cast", f"how {column.name!r} ({column.native}) compares with {part_of(node)}")
            node = node.this
        return operand(column, self._value(node))

    def _value(self, node: exp.Expression) -> Value:
        return constant(node, self._parameters)


def constant(node: exp.Expression, parameters: tuple[Value, ...]) -> Value:
    """A value that stands in the query or is bound to it. Raises RestCannot."""
    match node:
        case exp.Parameter() if isinstance(node.this, exp.Literal) and node.this.this.isdecimal():
            place = int(node.this.this)
            if not 1 <= place <= len(parameters):
                raise ParameterRefused(
                    f"the query has no value for ${place}", hint="give one value for each ?"
                )
            return parameters[place - 1]
        case exp.Literal() if node.is_string:
            return str(node.this)
        case exp.Literal():
            return _number(str(node.this))
        case exp.Neg() if isinstance(node.this, exp.Literal) and not node.this.is_string:
            return -_number(str(node.this.this))
        case exp.Boolean():
            return bool(node.this)
        case exp.Null():
            return None
        case exp.Paren():
            return constant(node.this, parameters)
        case _:
            raise cannot("value", f"with {part_of(node)} as a value")


def _number(text: str) -> int | decimal.Decimal:
    try:
        return int(text) if text.isdecimal() else decimal.Decimal(text)
    except (ValueError, decimal.DecimalException) as error:
        raise cannot("value", "with this number") from error


def only(node: exp.Expression, *allowed: str) -> None:
    """Refuse a node that says more than is understood of it. Raises RestCannot."""
    for name, value in node.args.items():
        if name not in allowed and value not in (None, False, []):
            raise cannot(name, f"with {part_of(node)} that has {name.strip('_').replace('_', ' ').upper()}")


def part_of(node: object) -> str:
    """What a part of a query is called, for an error."""
    return node.key.upper() if isinstance(node, exp.Expression) else str(node)


def _flat(node: exp.And | exp.Or) -> list[exp.Expression]:
    """The sides of a chain of the same joint: a long one is no deep one."""
    kind, waiting, found = type(node), [node.args["expression"], node.this], list[exp.Expression]()
    while waiting:
        each = waiting.pop()
        if type(each) is kind:
            waiting += [each.args["expression"], each.this]
        else:
            found.append(each)
    return found

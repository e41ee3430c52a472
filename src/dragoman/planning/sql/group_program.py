"""GROUP BY, measures and HAVING of a SELECT as the arguments of a measuring verb."""

from typing import Final

from sqlglot import exp

from dragoman.contracts.program import Argument, Boolean, Entry, Map, Sequence, Text, Value
from dragoman.planning.sql.literals import number_of
from dragoman.planning.sql.shown import Measure, Shown, ShownReader
from dragoman.planning.sql.sources import conjuncts
from dragoman.planning.sql.unsaid import Unsaid
from dragoman.tables.conditions import Sign
from dragoman.tables.verbs import NUMBERS, TableVerb, Word

_SIGNS: Final[dict[type[exp.Expr], Sign]] = {
    exp.GT: Sign.ABOVE,
    exp.LT: Sign.BELOW,
    exp.GTE: Sign.AT_LEAST,
    exp.LTE: Sign.AT_MOST,
    exp.EQ: Sign.EQUAL,
}
_COUNT: Final = Measure(TableVerb.COUNT)
_Keys = list[tuple[Shown, bool]]


def is_grouped(tree: exp.Select, shown: list[Shown]) -> bool:
    return tree.args.get("group") is not None or any(each.measure is not None for each in shown)


def grouped_arguments(
    tree: exp.Select, reader: ShownReader, shown: list[Shown], keys: _Keys
) -> tuple[TableVerb, list[Argument]]:
    """The verb of a query that gathers rows, and what it is told of the groups. Raises `Unsaid`."""
    if tree.args.get("distinct") is not None:
        raise Unsaid("DISTINCT over groups")
    by = reader.gathered(_gathered(tree))
    having = [_having(node, reader) for node in _kept(tree)]
    if having and not by:
        raise Unsaid("HAVING without groups")
    told = _told(shown, keys, [measure for measure, _ in having])
    own = told[0]
    found: list[Argument] = []
    if own.of is not None:
        found.append(Argument(Word.OF.value, own.of))
    if own.distinct:
        found.append(Argument(Word.DISTINCT.value, Boolean(value=True)))
    if by:
        found.append(Argument(Word.BY.value, _one_or_several([each.value for each in by])))
    if len(told) > 1:
        found.append(Argument(Word.ALSO.value, _one_or_several([each.beside for each in told[1:]])))
    if having:
        found.append(Argument(Word.HAVING.value, _tests(having, told)))
    columns = [_named(each, told) for each in shown]
    if columns != [*(each.value for each in by), *(_name(each, told) for each in told)]:
        if not by and any(not isinstance(each, Text) for each in columns):
            raise Unsaid("an order of measures")
        found.append(Argument(Word.COLUMNS.value, _one_or_several(columns)))
    if keys:
        order = [_order(key, down, told) for key, down in keys]
        if by:
            found.append(Argument(Word.ORDER.value, _one_or_several(order)))
    return own.verb, found


def _gathered(tree: exp.Select) -> list[exp.Expr]:
    group = tree.args.get("group")
    if group is None:
        return []
    if any(value for name, value in group.args.items() if name != "expressions"):
        raise Unsaid("groups of groups")
    return list(group.expressions)


def _kept(tree: exp.Select) -> list[exp.Expr]:
    having = tree.args.get("having")
    return conjuncts(having.this) if having is not None else []


def _having(node: exp.Expr, reader: ShownReader) -> tuple[Measure, Entry]:
    """A condition on a figure: which, and how it stands to a number."""
    sign = _SIGNS.get(type(node))
    if sign is None:
        raise Unsaid(f"{type(node).__name__.upper()} in HAVING")
    found = reader.measure(reader.meant(node.this, columns_first=True))
    if found is None or found.measure is None:
        raise Unsaid("HAVING of a column")
    if found.kind not in NUMBERS:
        raise Unsaid("HAVING of what is no number")
    return found.measure, Entry(sign.value, number_of(node.args["expression"]))


def _told(shown: list[Shown], keys: _Keys, kept: list[Measure]) -> list[Measure]:
    """The measures, the verb's own first: those that are shown, then what is only sorted or tested by."""
    first = [each.measure for each in shown if each.measure is not None]
    sorted_by = [key.measure for key, _ in keys if key.measure is not None]
    # The number of rows can be sorted and tested by without being told.
    rest = [each for each in (*sorted_by, *kept) if each != _COUNT]
    if len(set(first)) < len(first):
        raise Unsaid("a measure that is shown twice")
    told = list(dict.fromkeys([*first, *rest])) or [_COUNT]
    if (
        _COUNT not in told
        and any(each.verb is TableVerb.COUNT for each in told)
        and _COUNT in (*sorted_by, *kept)
    ):
        raise Unsaid("two counts")
    if len({(each.verb, each.of) for each in told}) < len(told):
        raise Unsaid("two counts of one column")
    return told


def _tests(having: list[tuple[Measure, Entry]], told: list[Measure]) -> Value:
    entries: dict[str, list[Entry]] = {}
    for measure, entry in having:
        # A test names a verb, and means the first measure that has it.
        first = next((each for each in told if each.verb is measure.verb), measure)
        if first != measure:
            raise Unsaid("HAVING of the second of two measures")
        held = entries.setdefault(measure.verb.value, [])
        if any(each.key == entry.key for each in held):
            raise Unsaid("HAVING that says one thing twice")
        held.append(entry)
    tests = {verb: _test(held) for verb, held in entries.items()}
    if list(tests) == [told[0].verb.value]:
        return tests[told[0].verb.value]
    return Map(tuple(Entry(verb, test) for verb, test in tests.items()))


def _test(entries: list[Entry]) -> Value:
    if any(each.key == Sign.EQUAL.value for each in entries):
        if len(entries) > 1:
            raise Unsaid("HAVING that says one thing twice")
        return entries[0].value
    return Map(tuple(entries))


def _named(shown: Shown, told: list[Measure]) -> Value:
    return shown.value if shown.measure is None else _name(shown.measure, told)


def _name(measure: Measure, told: list[Measure]) -> Value:
    """A measure in :columns and :order: by its verb, where no other has it."""
    alone = sum(each.verb is measure.verb for each in told) == 1
    return Text(measure.verb.value if alone else measure.written)


def _order(key: Shown, descending: bool, told: list[Measure]) -> Value:
    if key.measure is not None:
        value = Text("count") if key.measure == _COUNT and _COUNT not in told else _name(key.measure, told)
    else:
        value = key.value
    return Map((Entry("desc", value),)) if descending else value


def _one_or_several(values: list[Value]) -> Value:
    return values[0] if len(values) == 1 else Sequence(tuple(values))

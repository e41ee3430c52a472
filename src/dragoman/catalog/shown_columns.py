"""Which columns of which tables an answer shows, as far as its query says."""

from collections.abc import Iterator

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.knowledge.verbs import is_knowledge
from dragoman.catalog.reads import read_for
from dragoman.contracts.answer import AnswerObject
from dragoman.contracts.errors import DragomanError
from dragoman.contracts.program import Statement
from dragoman.contracts.schema import Dialect
from dragoman.language.inlined_calls import bound_in, with_calls


def shown_columns(catalog: Catalog, answer: AnswerObject) -> tuple[str, ...]:
    """`table.column` for everything that stands in the lists of its query, `column` where nobody says of
    which table, and the names of the result."""
    own = [column.name for column in answer.columns]
    return tuple(dict.fromkeys((*own, *_read(catalog, answer))))


def _read(catalog: Catalog, answer: AnswerObject) -> tuple[str, ...]:
    if not answer.program:
        return ()
    last = answer.program[-1]
    if is_knowledge(catalog, last):
        return ()
    statement = with_calls(last, bound_in(answer.program))
    if not isinstance(statement, Statement):
        return ()
    try:
        read = read_for(catalog, statement)
    except DragomanError:
        # It was read a moment ago; what cannot be told of it now, the names of the result still say.
        return ()
    return tuple(_in_lists(read.query.sql, read.schema.dialect, [column.name for column in answer.columns]))


def _in_lists(sql: str, dialect: Dialect, names: list[str]) -> Iterator[str]:
    # Imported for rules about columns alone.
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    try:
        tree = sqlglot.parse_one(sql, read=str(dialect))
    except SqlglotError:
        return
    for select in tree.find_all(exp.Select):
        sources = [each for each in (select.args.get("from_"), *select.args.get("joins", ())) if each]
        tables = [each.this for each in sources if isinstance(each.this, exp.Table)]
        called = {each.alias_or_name.casefold(): each.name for each in tables}
        for projection in select.expressions:
            for star in projection.find_all(exp.Star):
                if not isinstance(star.parent, exp.Count):
                    yield from (f"{table}.{name}" for table in called.values() for name in names)
            for column in projection.find_all(exp.Column):
                of = called.get(column.table.casefold()) if column.table else None
                alone = next(iter(called.values()), None) if len(called) == 1 and not column.table else None
                table = of or alone
                yield f"{table}.{column.name}" if table else column.name

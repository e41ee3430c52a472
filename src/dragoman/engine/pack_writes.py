"""One write verb of a pack, run for real: the change and a row of the ledger in one transaction, or nothing.

The ledger stands in the database that is changed. The same run id again finds its row there, changes nothing
and says so; two at once wait for each other at that row.
"""

import datetime as dt
import time
import uuid
from collections.abc import Iterator
from contextlib import suppress

from msgspec.structs import replace
from sqlglot import exp

from dragoman.contracts.access import LONGEST_RUN_ID, Target, WriteSession
from dragoman.contracts.errors import (
    AccessError,
    ArgumentsNotFit,
    ConnectionRefused,
    ConstraintBroken,
    DatabaseBusy,
    DragomanError,
    WriteFailed,
    WriteUnsettled,
    WriteUnsupported,
)
from dragoman.contracts.pack import Pack
from dragoman.contracts.program import Statement, Text
from dragoman.contracts.query import Query, Value
from dragoman.contracts.record import Record
from dragoman.contracts.schema import DatabaseSchema
from dragoman.contracts.verb import Effect
from dragoman.contracts.viewer import Viewer
from dragoman.databases.sql_text import place, written
from dragoman.engine.ledger import LEDGER
from dragoman.packs.arguments import makes_a_key
from dragoman.packs.policy_rules import Rules
from dragoman.packs.queries import parsed
from dragoman.packs.statements import Fault, created_key, faults_of, target_of
from dragoman.packs.verb_queries import verb_query

_TRIES = 3
_COLUMNS = ("run_id", "step", "part", "rows", "published_at")


class Written(Record, frozen=True):
    """What a write did. `repeated`: this run had done it before, and nothing was changed now. `key` is that
    of what was made, where the verb makes something."""

    run_id: str
    step: str
    rows: int
    published_at: str
    repeated: bool = False
    key: str = ""


def run_write(
    pack: Pack,
    statement: Statement,
    target: Target,
    schema: DatabaseSchema,
    *,
    run_id: str,
    viewer: Viewer | None = None,
    rules: Rules | None = None,
    step: str = "",
    part: int = 0,
    new_key: str = "",
    now: dt.datetime | None = None,
) -> Written:
    """Run a statement that calls a write verb of a pack. `step` is its id in the run, or the verb's name;
    `rules` are what holds for the viewer, by default what the pack itself says.

    A key that the runtime has to make follows from the run id, so that a repeated run names the same thing.
    Raises `RunFailed` and `AccessError`; then nothing was changed, save `WriteUnsettled`, after which
    running it again with the same run id settles it.
    """
    _check(pack, statement, run_id)
    verb = pack.verbs[statement.verb]
    step = step or statement.binds or statement.verb
    made = new_key or (_key_of_run(run_id, step, part) if makes_a_key(verb) else "")
    query = verb_query(pack, statement, schema, viewer, made, rules)
    session = target.session()
    try:
        _refuse_untransactional(session, pack, statement)
        _ensure_ledger(session)
        moment = (now or dt.datetime.now(dt.UTC)).astimezone(dt.UTC).isoformat(timespec="milliseconds")
        done = _in_one_transaction(session, query, Written(run_id, step, 0, moment), part)
    finally:
        session.close()
    return replace(done, key=_key(pack, statement, made))


def was_written(target: Target, run_id: str) -> bool:
    """Whether a write of this run is in the ledger of a database: then it was made, whole."""
    session = target.session()
    try:
        if not _is_there(session):
            return False
        tree = exp.select(exp.column(_name("rows"))).from_(exp.Table(this=_name(LEDGER)))
        tree = tree.where(exp.EQ(this=exp.column(_name("run_id")), expression=place(0)))
        session.begin()
        found = session.rows(_query(tree, session, (run_id,)))
        _rolled_back(session)
        return bool(found)
    finally:
        session.close()


def _check(pack: Pack, statement: Statement, run_id: str) -> None:
    verb = pack.verbs.get(statement.verb)
    if verb is None or verb.effect is not Effect.WRITE:
        raise ArgumentsNotFit(
            f"{statement.verb} is no write verb of the pack {pack.pack}", hint="name one that is"
        )
    if not run_id.isprintable() or not 0 < len(run_id) <= LONGEST_RUN_ID:
        raise ArgumentsNotFit(
            "a run id is a short text", hint=f"up to {LONGEST_RUN_ID} letters, none invisible"
        )
    # A pack is trusted as code is, once it was checked: what is run here was checked here.
    fault: Fault | None = next((each for each in faults_of(verb, pack.dialect) if not each.minor), None)
    if fault is not None:
        raise ArgumentsNotFit(f"the SQL of {statement.verb} may not run: {fault.message}", hint=fault.hint)


def _key_of_run(run_id: str, step: str, part: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"dragoman:{run_id}\0{step}\0{part}"))


def _key(pack: Pack, statement: Statement, made: str) -> str:
    """The key of what a create verb made."""
    verb = pack.verbs[statement.verb]
    for entity in pack.entities.values():
        if entity.create == statement.verb:
            name = created_key(verb, entity.key, pack.dialect)
            argument = statement.argument(name) if name else None
            if argument is not None and isinstance(argument.value, Text):
                return argument.value.value
            given = getattr(argument.value, "value", None) if argument is not None else None
            return made if given is None else str(given)
    return made


def _in_one_transaction(session: WriteSession, query: Query, wanted: Written, part: int) -> Written:
    """The row of the ledger first: whoever comes second with the same run waits there, and then finds it."""
    session.begin()
    before = _ledger_row(session, wanted, part)
    if before is not None:
        return before
    noted = False
    try:
        _note(session, wanted, part)
        noted = True
        rows = session.execute(query)
        _count(session, wanted, part, rows)
        _commit(session, wanted)
    except ConstraintBroken:
        # Perhaps another process has just done this very run, and what stands in the way is its own row.
        done = _after_another(session, wanted, part)
        if done is None and not noted:
            raise DatabaseBusy(
                f"another process is about to do {wanted.step} of this run", hint="try again in a moment"
            ) from None
        if done is None:
            raise
        return done
    return replace(wanted, rows=rows)


def _commit(session: WriteSession, wanted: Written) -> None:
    try:
        session.commit()
    except ConnectionRefused as error:
        raise WriteUnsettled(
            f"the connection was lost while {wanted.step} was made final",
            hint=f"run it again with the run id {wanted.run_id}: what was done already is not done twice",
            run_id=wanted.run_id,
        ) from error


def _after_another(session: WriteSession, wanted: Written, part: int) -> Written | None:
    """What another process has done of this very run, or is about to where the database does not wait."""
    for pause in session.ledger.pauses:
        _rolled_back(session)
        time.sleep(pause)
        session.begin()
        done = _ledger_row(session, wanted, part)
        if done is not None:
            return done
    return None


def _rolled_back(session: WriteSession) -> None:
    """Undo what is not committed. A database that has done so by itself may say that there is nothing."""
    with suppress(WriteFailed):
        session.execute(Query("ROLLBACK"))


# The ledger, built as trees like everything else that runs.


def _name(text: str) -> exp.Identifier:
    return exp.to_identifier(text, quoted=True)


def _query(tree: exp.Expr, session: WriteSession, values: tuple[Value, ...]) -> Query:
    return written(tree, session.dialect, values)


def _placed(count: int) -> list[exp.Expr]:
    return [place(number) for number in range(count)]


def _where(first: int) -> Iterator[exp.Expr]:
    for number, column in enumerate(("run_id", "step", "part"), first):
        yield exp.EQ(this=exp.column(_name(column)), expression=place(number))


def _ledger_row(session: WriteSession, wanted: Written, part: int) -> Written | None:
    tree = exp.select(exp.column(_name("rows")), exp.column(_name("published_at"))).from_(
        exp.Table(this=_name(LEDGER))
    )
    tree = tree.where(*_where(0))
    found = session.rows(_query(tree, session, (wanted.run_id, wanted.step, part)))
    if not found:
        return None
    rows, moment = found[0]
    return Written(wanted.run_id, wanted.step, int(rows), str(moment), repeated=True)


def _note(session: WriteSession, wanted: Written, part: int) -> None:
    columns = [_name(column) for column in _COLUMNS]
    tree = exp.Insert(
        this=exp.Schema(this=exp.Table(this=_name(LEDGER)), expressions=columns),
        expression=exp.Values(expressions=[exp.Tuple(expressions=_placed(len(columns)))]),
    )
    values = (wanted.run_id, wanted.step, part, 0, wanted.published_at)
    session.execute(_query(tree, session, values))


def _count(session: WriteSession, wanted: Written, part: int, rows: int) -> None:
    tree = exp.Update(
        this=exp.Table(this=_name(LEDGER)),
        expressions=[exp.EQ(this=exp.column(_name("rows")), expression=place(0))],
        where=exp.Where(this=exp.and_(*_where(1))),
    )
    session.execute(_query(tree, session, (rows, wanted.run_id, wanted.step, part)))


def _ensure_ledger(session: WriteSession) -> None:
    """The table, before the transaction: MariaDB would end one with it."""
    text, mark = session.ledger.text, session.ledger.quote
    names = [f"{mark}{column}{mark}" for column in _COLUMNS]
    types = (text, text, "INTEGER", "BIGINT", text)
    parts = ", ".join(f"{name} {held} NOT NULL" for name, held in zip(names, types, strict=True))
    key = ", ".join(names[:3])
    sql = f"CREATE TABLE IF NOT EXISTS {mark}{LEDGER}{mark} ({parts}, PRIMARY KEY ({key}))"
    for attempt in range(1, _TRIES + 1):
        try:
            if _is_there(session):
                return
            _created(session, sql + session.ledger.ending)
            return
        except (ConstraintBroken, WriteFailed):
            # Two that make it at once: the second one finds it made.
            if attempt == _TRIES:
                raise


def _created(session: WriteSession, sql: str) -> None:
    session.begin()
    try:
        session.execute(Query(sql))
        session.commit()
    except DragomanError:
        _rolled_back(session)
        raise


def _is_there(session: WriteSession) -> bool:
    """Whether the ledger can be read. A login that may not make tables can still use one that is there."""
    session.begin()
    try:
        session.rows(Query(f"SELECT 1 FROM {LEDGER} WHERE 1 = 0"))
    except AccessError:
        raise
    except DragomanError:
        return False
    finally:
        _rolled_back(session)
    return True


def _refuse_untransactional(session: WriteSession, pack: Pack, statement: Statement) -> None:
    table = target_of(parsed(pack.verbs[statement.verb].sql, pack.dialect))
    if table is not None and not session.keeps_transactions(table.name):
        raise WriteUnsupported(
            f"the table {table.name} keeps no transactions",
            hint="ALTER TABLE … ENGINE=InnoDB lets it be written to safely",
        )

"""A stand-in for PostgREST over a real PostgreSQL: it reads addresses as PostgREST documents them.

It shares no code with the reader that it is asked by.
"""

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

import psycopg
from psycopg import sql

KEY = "sb_test_key_0123456789"
PREFIX = "/rest/v1/"

_OPERATORS = {
    "eq": "=",
    "neq": "<>",
    "lt": "<",
    "lte": "<=",
    "gt": ">",
    "gte": ">=",
    "like": "like",
    "ilike": "ilike",
    "match": "~",
    "imatch": "~*",
}
_STATES = {"42501": 403, "42P01": 404, "42703": 400, "57014": 500}

_COLUMNS = """
SELECT c.relname::text, obj_description(c.oid, 'pg_class'), a.attname::text,
  format_type(coalesce(nullif(t.typbasetype, 0), t.oid), NULL), a.attnotnull,
  col_description(c.oid, a.attnum),
  (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum AS e WHERE e.enumtypid = t.oid),
  EXISTS (SELECT 1 FROM pg_constraint AS p
    WHERE p.conrelid = c.oid AND p.contype = 'p' AND a.attnum = ANY(p.conkey)),
  (SELECT json_build_array(r.relname, b.attname)
    FROM pg_constraint AS f JOIN pg_class AS r ON r.oid = f.confrelid
    JOIN pg_attribute AS b ON b.attrelid = r.oid AND b.attnum = f.confkey[1]
    WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.conkey = ARRAY[a.attnum] LIMIT 1)
FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
  JOIN pg_attribute AS a ON a.attrelid = c.oid JOIN pg_type AS t ON t.oid = a.atttypid
WHERE n.nspname = %s AND c.relkind IN ('r', 'v', 'm', 'p') AND a.attnum > 0 AND NOT a.attisdropped
ORDER BY c.relname, a.attnum
"""


class Wrong(Exception):
    """An address that PostgREST would not read."""

    def __init__(self, code: str, message: str, status: int = 400) -> None:
        super().__init__(message)
        self.code, self.message, self.status = code, message, status


@dataclass
class Manners:
    """How the server behaves. The tests change this while it runs."""

    aggregates: bool = True
    max_rows: int | None = None
    time_zone: str = "UTC"
    interval_style: str = "postgres"
    misbehave: str = ""
    role: str = ""
    requests: list[tuple[str, str, dict[str, str]]] = field(default_factory=list, repr=False)
    hanging: threading.Event = field(default_factory=threading.Event, repr=False)
    """Set once a request is left without an answer."""


@dataclass
class Served:
    url: str
    port: int
    manners: Manners

    @property
    def tables_asked(self) -> list[str]:
        return [path for _, path, _ in self.manners.requests if urlsplit(path).path != PREFIX]


@contextmanager
def serving(database: str, schemas: tuple[str, ...] = ("public",)) -> Iterator[Served]:
    manners = Manners()

    class Handler(_Handler):
        pass

    Handler.database, Handler.schemas, Handler.manners = database, schemas, manners
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        port = server.server_address[1]
        yield Served(f"http://127.0.0.1:{port}", port, manners)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    database: str
    schemas: tuple[str, ...]
    manners: Manners
    _held: psycopg.Connection[Any] | None = None

    def finish(self) -> None:
        if self._held is not None:
            self._held.close()
        super().finish()

    def log_message(self, format: str, *args: object) -> None:
        """Tests are quiet."""

    def do_GET(self) -> None:
        self.manners.requests.append(("GET", self.path, {k.lower(): v for k, v in self.headers.items()}))
        try:
            if self.manners.misbehave and self._misbehaves():
                return
            self._answer()
        except Wrong as wrong:
            self._send(wrong.status, {"code": wrong.code, "message": wrong.message, "hint": None})
        except psycopg.Error as error:
            state = error.sqlstate or "XX000"
            told = {"code": state, "message": error.diag.message_primary or str(error), "hint": None}
            self._send(_STATES.get(state, 400), told)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def _answer(self) -> None:
        key = self.headers.get("apikey", "")
        if not key:
            raise Wrong("", "No API key found in request", 401)
        if key != KEY or self.headers.get("Authorization") != f"Bearer {key}":
            raise Wrong("PGRST301", f"JWT invalid: {key}", 401)
        schema = self.headers.get("Accept-Profile") or self.schemas[0]
        if schema not in self.schemas:
            raise Wrong("PGRST106", f"The schema must be one of: {', '.join(self.schemas)}", 406)
        parts = urlsplit(self.path)
        segment = parts.path.removeprefix(PREFIX)
        if not parts.path.startswith(PREFIX) or "/" in segment:
            raise Wrong("PGRST125", "Invalid path specified in request URL", 404)
        if self._held is None:
            self._held = psycopg.connect(self.database, autocommit=True)
        connection = self._held
        with connection.transaction(force_rollback=True):
            connection.execute("SET TRANSACTION READ ONLY")
            connection.execute("SELECT set_config('TimeZone', %s, true)", [self.manners.time_zone])
            connection.execute("SELECT set_config('IntervalStyle', %s, true)", [self.manners.interval_style])
            connection.execute("SELECT set_config('statement_timeout', '8s', true)")
            if self.manners.role:
                connection.execute(sql.SQL("SET LOCAL ROLE {}").format(sql.Identifier(self.manners.role)))
            if not segment:
                self._send(200, described(connection, schema), "application/openapi+json; charset=utf-8")
                return
            self._table(connection, schema, unquote(segment), parse_qsl(parts.query, keep_blank_values=True))

    def _table(
        self,
        connection: psycopg.Connection[Any],
        schema: str,
        table: str,
        parameters: list[tuple[str, str]],
    ) -> None:
        known = connection.execute(
            "SELECT 1 FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace"
            " WHERE n.nspname = %s AND c.relname = %s",
            [schema, table],
        ).fetchone()
        if not known:
            raise Wrong("PGRST205", f"Could not find the table '{schema}.{table}' in the schema cache", 404)
        asked = dict(parameters)
        if len(asked) != len(parameters):
            raise Wrong("PGRST100", "a parameter stands twice")
        unknown = set(asked) - {"select", "and", "order", "limit", "offset"}
        if unknown:
            raise Wrong("PGRST100", f"failed to parse filter ({unknown})")
        place = sql.Identifier(schema, table)
        columns, groups = Select(asked.get("select", "*"), place, aggregates=self.manners.aggregates).read()
        where = Logic(asked["and"], place).read() if "and" in asked else sql.SQL("true")
        tail: sql.Composable = sql.SQL("")
        if groups:
            tail += sql.SQL(" GROUP BY ") + sql.SQL(", ").join(groups)
        if "order" in asked:
            tail += sql.SQL(" ORDER BY ") + Order(asked["order"], place).read()
        limit = int(asked["limit"]) if "limit" in asked else None
        if self.manners.max_rows is not None:
            limit = self.manners.max_rows if limit is None else min(limit, self.manners.max_rows)
        offset = int(asked.get("offset", "0"))
        tail += sql.SQL(" LIMIT {} OFFSET {}").format(sql.Literal(limit), sql.Literal(offset))
        inner = sql.SQL("SELECT {} FROM {} WHERE {}").format(columns, place, where) + tail
        outer = sql.SQL("SELECT count(*), coalesce(json_agg(s), '[]')::text FROM ({}) AS s").format(inner)
        row = connection.execute(outer).fetchone()
        assert row is not None
        number, body = row
        total = self._total(connection, place, where)
        first = f"{offset}-{offset + number - 1}" if number else "*"
        status = 206 if total is not None and number < total else 200
        self._write(
            status,
            body.encode(),
            "application/json; charset=utf-8",
            {"Content-Range": f"{first}/{'*' if total is None else total}"},
        )

    def _total(
        self, connection: psycopg.Connection[Any], place: sql.Identifier, where: sql.Composable
    ) -> int | None:
        prefer = self.headers.get("Prefer", "")
        if "count=" not in prefer:
            return None
        query = sql.SQL("SELECT 1 FROM {} WHERE {}").format(place, where)
        if prefer == "count=exact":
            found = connection.execute(sql.SQL("SELECT count(*) FROM ({}) AS s").format(query)).fetchone()
            return int(found[0]) if found else None
        plan = connection.execute(sql.SQL("EXPLAIN (FORMAT JSON) ") + query).fetchone()
        return int(plan[0][0]["Plan"]["Plan Rows"]) if plan else None

    def _send(self, status: int, value: object, kind: str = "application/json; charset=utf-8") -> None:
        self._write(status, json.dumps(value).encode(), kind, {})

    def _write(self, status: int, body: bytes, kind: str, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _misbehaves(self) -> bool:
        """Whether this request was spoilt. The description is only where that is asked for."""
        way, _, detail = self.manners.misbehave.partition(":")
        if urlsplit(self.path).path == PREFIX and not way.startswith("root-"):
            return False
        match way.removeprefix("root-"):
            case "status":
                self._send(int(detail), {"message": f"no: {self.headers.get('apikey')}"})
            case "page":
                self._write(int(detail), b"<html>gateway</html>", "text/html", {})
            case "redirect":
                self._write(302, b"", "text/plain", {"Location": detail})
            case "body":
                self._write(200, detail.encode(), "application/json", {})
            case "packed":
                self._write(200, b"[]", "application/json", {"Content-Encoding": "gzip"})
            case "drip":
                self.send_response(200)
                self.send_header("Content-Length", "1000000")
                self.end_headers()
                for _ in range(600):
                    self.wfile.write(b" ")
                    self.wfile.flush()
                    time.sleep(0.05)
            case "huge":
                self.send_response(200)
                self.send_header("Transfer-Encoding", "chunked")
                self.end_headers()
                for _ in range(200):
                    self.wfile.write(b"100000\r\n" + b" " * 0x100000 + b"\r\n")
            case "short":
                self.send_response(200)
                self.send_header("Content-Length", "100")
                self.end_headers()
                self.wfile.write(b"[]")
                self.close_connection = True
            case "hang":
                self.manners.hanging.set()
                time.sleep(30)
            case "leave":
                self.close_connection = True
            case other:
                raise AssertionError(other)
        return True


def described(connection: psycopg.Connection[Any], schema: str) -> dict[str, object]:
    definitions: dict[str, Any] = {}
    for table, about, name, native, required, comment, words, primary, foreign in connection.execute(
        _COLUMNS, [schema]
    ):
        told = definitions.setdefault(table, {"type": "object", "properties": {}, "required": []})
        if about:
            told["description"] = about
        if required:
            told["required"].append(name)
        notes = []
        if primary:
            notes.append("This is a Primary Key.<pk/>")
        if foreign:
            target, column = foreign
            notes.append(
                f"This is a Foreign Key to `{target}.{column}`.<fk table='{target}' column='{column}'/>"
            )
        text = comment or ""
        if notes:
            text = (text + "\n\n" if text else "") + "Note:\n" + "\n".join(notes)
        entry: dict[str, object] = {"format": native, "type": "string"}
        if text:
            entry["description"] = text
        if words:
            entry["enum"] = words
        told["properties"][name] = entry
    return {"swagger": "2.0", "info": {"title": "PostgREST API"}, "definitions": definitions, "paths": {}}


class _Parser:
    """The parts of an address that all of its lists are made of."""

    def __init__(self, text: str, place: sql.Identifier) -> None:
        self.text, self.at, self.place = text, 0, place

    def sees(self, piece: str) -> bool:
        if self.text.startswith(piece, self.at):
            self.at += len(piece)
            return True
        return False

    def expect(self, piece: str) -> None:
        if not self.sees(piece):
            raise Wrong("PGRST100", f"expecting {piece!r} at {self.at} of {self.text!r}")

    def quoted(self) -> str | None:
        if not self.text.startswith('"', self.at):
            return None
        found, at = [], self.at + 1
        while at < len(self.text) and self.text[at] != '"':
            at += self.text[at] == "\\"
            found.append(self.text[at : at + 1])
            at += 1
        if at >= len(self.text):
            raise Wrong("PGRST100", "a quote is not closed")
        self.at = at + 1
        return "".join(found)

    def matching(self, expression: str) -> str:
        found = re.compile(expression).match(self.text, self.at)
        if not found:
            raise Wrong("PGRST100", f"unexpected {self.text[self.at : self.at + 9]!r}")
        self.at = found.end()
        return found[0]

    def field_name(self) -> str:
        name = self.quoted()
        return name if name is not None else self.matching(r"[\w $]+(?:-(?!>)[\w $]+)*")

    def column(self, name: str) -> sql.Composable:
        return sql.SQL("{}.{}").format(self.place, sql.Identifier(name))

    def end(self) -> None:
        if self.at != len(self.text):
            raise Wrong("PGRST100", f"unexpected {self.text[self.at :]!r}")


class Select(_Parser):
    def __init__(self, text: str, place: sql.Identifier, *, aggregates: bool) -> None:
        super().__init__(text, place)
        self.aggregates = aggregates

    def read(self) -> tuple[sql.Composable, list[sql.Composable] | None]:
        if self.text == "*":
            return sql.SQL("*"), None
        items, groups, grouped = list[sql.Composable](), list[sql.Composable](), False
        while True:
            alias = ""
            before, name = self.at, self.field_name()
            if self.sees("::") or not self.sees(":"):
                self.at = before
            else:
                alias = name
            item, is_aggregate = self._item(alias)
            items.append(item)
            grouped |= is_aggregate
            if not is_aggregate:
                groups.append(sql.SQL(str(len(items))))
            if not self.sees(","):
                break
        self.end()
        return sql.SQL(", ").join(items), groups if grouped else None

    def _item(self, alias: str) -> tuple[sql.Composable, bool]:
        if self.sees("count()"):
            self._allowed()
            return sql.SQL("count(*) AS {}").format(sql.Identifier(alias or "count")), True
        name = self.field_name()
        value: sql.Composable = self.column(name)
        value = self._cast(value)
        aggregate = ""
        if self.sees("."):
            aggregate = self.matching("sum|avg|min|max|count")
            self.expect("()")
            self._allowed()
            value = self._cast(sql.SQL("{}({})").format(sql.SQL(aggregate), value))
        return value + sql.SQL(" AS ") + sql.Identifier(alias or aggregate or name), bool(aggregate)

    def _cast(self, value: sql.Composable) -> sql.Composable:
        if self.sees("::"):
            return sql.SQL("CAST({} AS {})").format(value, sql.SQL(self.matching(r"\w+")))
        return value

    def _allowed(self) -> None:
        if not self.aggregates:
            raise Wrong("PGRST123", "Use of aggregate functions is not allowed")


class Order(_Parser):
    def read(self) -> sql.Composable:
        terms = list[sql.Composable]()
        while True:
            term = self.column(self.field_name())
            way = self.matching(r"(?:\.(?:asc|desc))?(?:\.(?:nullsfirst|nullslast))?")
            words = way.replace(".nullsfirst", " NULLS FIRST").replace(".nullslast", " NULLS LAST")
            terms.append(term + sql.SQL(words.replace(".", " ")))
            if not self.sees(","):
                break
        self.end()
        return sql.SQL(", ").join(terms)


class Logic(_Parser):
    """The tree of filters behind `and=`."""

    def read(self) -> sql.Composable:
        found = self._group("AND")
        self.end()
        return found

    def _group(self, joint: str) -> sql.Composable:
        self.expect("(")
        parts = [self._condition()]
        while self.sees(","):
            parts.append(self._condition())
        self.expect(")")
        return sql.SQL("(") + sql.SQL(f" {joint} ").join(parts) + sql.SQL(")")

    def _condition(self) -> sql.Composable:
        found = re.compile(r"(not\.)?(and|or)(?=\()").match(self.text, self.at)
        if found:
            self.at = found.end()
            group = self._group(found[2].upper())
            return sql.SQL("NOT ") + group if found[1] else group
        column = self.column(self.field_name())
        self.expect(".")
        negated = self.sees("not.")
        condition = self._filter(column)
        return sql.SQL("NOT ({})").format(condition) if negated else condition

    def _filter(self, column: sql.Composable) -> sql.Composable:
        operator = self.matching("[a-z]+")
        self.expect(".")
        if operator == "is":
            return column + sql.SQL(" IS " + self.matching("null|true|false|unknown"))
        if operator == "in":
            return self._among(column)
        if operator not in _OPERATORS:
            raise Wrong("PGRST100", f"unknown operator {operator}")
        value = self._single()
        if operator in ("like", "ilike"):
            value = value.replace("*", "%")
        return sql.SQL("{} {} {}").format(column, sql.SQL(_OPERATORS[operator]), _unknown(value))

    def _single(self) -> str:
        value = self.quoted()
        return value if value is not None else self.matching("[^,)]*")

    def _among(self, column: sql.Composable) -> sql.Composable:
        self.expect("(")
        values = [self._single()]
        while self.sees(","):
            values.append(self._single())
        self.expect(")")
        if values == [""]:
            return column + sql.SQL(" = ANY ('{}')")
        inner = ",".join('"' + each.replace("\\", "\\\\").replace('"', '\\"') + '"' for each in values)
        return column + sql.SQL(" = ANY (") + _unknown("{" + inner + "}") + sql.SQL(")")


def _unknown(value: str) -> sql.Composable:
    """A literal that has no type yet, as PostgREST writes it."""
    if "\0" in value:
        raise Wrong("22P05", "unsupported Unicode escape sequence")
    return sql.Literal(value)

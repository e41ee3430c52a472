"""SELECTs drawn at random over the store: what people type, and what they should not."""

import random
from collections.abc import Mapping
from typing import Final

from dragoman.contracts.schema import Dialect

_NUMBERS: Final = {
    "sale": ("id", "total", "pieces", "weight", "customer_id"),
    "customer": ("id", "score", "region_id"),
    "region": ("id",),
}
_TEXTS: Final = {"sale": ("status",), "customer": ("name",), "region": ("title",)}
_DATES: Final = {"sale": ("day", "at"), "customer": ("since",), "region": ()}
_WORDS: Final = ("open", "Open", "late", "ann", "Ann", "North", "south", "zzz", "100%", "Bo_b")
_DAYS: Final = ("2022-12-31", "2023-01-01", "2023-01-02", "2023-05-05", "2023-12-31", "2020-02-29")
_FROM: Final = (
    ("sale s", {"s": "sale"}),
    ("customer AS c", {"c": "customer"}),
    ("sale s JOIN customer c ON s.customer_id = c.id", {"s": "sale", "c": "customer"}),
    ("customer c INNER JOIN sale s ON c.id = s.customer_id", {"c": "customer", "s": "sale"}),
    ("sale s LEFT JOIN customer c ON c.id = s.customer_id", {"s": "sale", "c": "customer"}),
    ("customer c LEFT JOIN region r ON r.id = c.region_id", {"c": "customer", "r": "region"}),
    ("customer c JOIN region r ON r.id = c.region_id", {"c": "customer", "r": "region"}),
    ("customer c LEFT JOIN sale s ON s.customer_id = c.id", {"c": "customer", "s": "sale"}),
    (
        "sale s JOIN customer c ON s.customer_id = c.id JOIN region r ON c.region_id = r.id",
        {"s": "sale", "c": "customer", "r": "region"},
    ),
    (
        "sale s JOIN customer c ON s.customer_id = c.id LEFT JOIN region r ON c.region_id = r.id",
        {"s": "sale", "c": "customer", "r": "region"},
    ),
    ("sale s, customer c WHERE s.customer_id = c.id AND", {"s": "sale", "c": "customer"}),
)


class Queries:
    """Draws queries. The same seed draws the same ones."""

    def __init__(self, seed: int, dialect: Dialect) -> None:
        self._random = random.Random(seed)
        self._dialect = dialect

    def query(self) -> str:
        source, tables = self._random.choice(_FROM)
        grouped = self._random.random() < 0.5
        shown, order = self._grouped(tables) if grouped else self._listed(tables)
        where = self._where(tables)
        if source.endswith("AND"):
            source, where = source.removesuffix(" AND"), f" AND {where}" if where else ""
        elif where:
            where = f" WHERE {where}"
        return f"SELECT {shown[0]} FROM {source}{where}{shown[1]}{order}"

    def _pick(self, tables: dict[str, str], kinds: Mapping[str, tuple[str, ...]]) -> str | None:
        found = [f"{alias}.{name}" for alias, table in tables.items() for name in kinds[table]]
        return self._random.choice(found) if found else None

    def _any(self, tables: dict[str, str]) -> str:
        kinds = self._random.choice((_NUMBERS, _TEXTS, _DATES, _NUMBERS))
        return self._pick(tables, kinds) or self._pick(tables, _NUMBERS) or ""

    def _columns(self, tables: dict[str, str], most: int) -> list[str]:
        return list(dict.fromkeys(self._any(tables) for _ in range(self._random.randint(1, most))))

    def _listed(self, tables: dict[str, str]) -> tuple[tuple[str, str], str]:
        columns = self._columns(tables, 3)
        shown = "*" if self._random.random() < 0.15 else ", ".join(columns)
        if self._random.random() < 0.1:
            shown += ", s.pieces * 2 + s.id" if "s" in tables and shown != "*" else ""
        distinct = "DISTINCT " if shown != "*" and self._random.random() < 0.2 else ""
        keys = columns if distinct or self._random.random() < 0.5 else self._columns(tables, 2)
        return (distinct + shown, ""), self._order(keys)

    def _grouped(self, tables: dict[str, str]) -> tuple[tuple[str, str], str]:
        by = [] if self._random.random() < 0.35 else self._columns(tables, 2)
        measures = list(dict.fromkeys(self._measure(tables) for _ in range(self._random.randint(1, 3))))
        shown = [*by, *measures]
        if self._random.random() < 0.3:
            self._random.shuffle(shown)
        rest = f" GROUP BY {', '.join(by)}" if by else ""
        if by and self._random.random() < 0.4:
            sign, number = self._random.choice(("=", ">", ">=", "<", "<=", "<>")), self._random.randint(0, 3)
            rest += f" HAVING {self._random.choice((*measures, 'COUNT(*)'))} {sign} {number}"
        return (", ".join(shown), rest), self._order([*by, *measures, "1"] if by else [])

    def _measure(self, tables: dict[str, str]) -> str:
        verb = self._random.choice(("COUNT(*)", "COUNT", "COUNT(DISTINCT", "SUM", "AVG", "MIN", "MAX"))
        if verb == "COUNT(*)":
            return verb
        column = self._pick(tables, _NUMBERS) if verb in ("SUM", "AVG") else self._any(tables)
        return f"{verb} {column})" if verb.endswith("DISTINCT") else f"{verb}({column})"

    def _order(self, columns: list[str]) -> str:
        text = ""
        if columns and self._random.random() < 0.6:
            keys = self._random.sample(columns, self._random.randint(1, min(2, len(columns))))
            text = " ORDER BY " + ", ".join(
                f"{key}{self._random.choice(('', ' DESC', ' ASC'))}" for key in keys
            )
        if self._random.random() < 0.3:
            text += f" LIMIT {self._random.randint(1, 4)}"
        return text

    def _where(self, tables: dict[str, str]) -> str:
        if self._random.random() < 0.25:
            return ""
        return self._condition(tables, 2)

    def _condition(self, tables: dict[str, str], depth: int) -> str:
        roll = self._random.random()
        if depth and roll < 0.35:
            word = self._random.choice((" AND ", " OR "))
            return f"({self._condition(tables, depth - 1)}{word}{self._condition(tables, depth - 1)})"
        if depth and roll < 0.45:
            return f"NOT ({self._condition(tables, depth - 1)})"
        return self._random.choice((self._numeric, self._textual, self._dated, self._missing))(tables)

    def _numeric(self, tables: dict[str, str]) -> str:
        column, number = self._pick(tables, _NUMBERS), self._random.choice((-3, 0, 1, 2, 3, 5, 10.5, 0.2))
        sign = self._random.choice(
            ("=", "<>", "!=", "<", "<=", ">", ">=", "IN", "NOT IN", "BETWEEN", "turned")
        )
        if sign.endswith("IN"):
            return f"{column} {sign} (1, {number}, 3)"
        if sign == "BETWEEN":
            return f"{column} {self._random.choice(('', 'NOT '))}BETWEEN {number} AND 5"
        if sign == "turned":
            return f"{number} < {column}"
        return f"{column} {sign} {number}"

    def _textual(self, tables: dict[str, str]) -> str:
        column, word = self._pick(tables, _TEXTS), self._random.choice(_WORDS)
        sign = self._random.choice(("=", "<>", "<", ">=", "IN", "NOT IN", "LIKE", "NOT LIKE", "ILIKE"))
        if sign == "ILIKE" and self._dialect in (Dialect.SQLITE, Dialect.MYSQL):
            sign = "LIKE"
        if sign.endswith("LIKE"):
            piece = self._random.choice(("o", "N", "pe", "an", "_", "z%"))
            pattern = self._random.choice((f"%{piece}%", f"{piece}%", f"%{piece}", piece))
            return f"{column} {sign} '{pattern}'"
        if sign.endswith("IN"):
            return f"{column} {sign} ('open', '{word}')"
        return f"{column} {sign} '{word}'"

    def _dated(self, tables: dict[str, str]) -> str:
        column, day = self._pick(tables, _DATES), self._random.choice(_DAYS)
        if column is None:
            return self._numeric(tables)
        sign = self._random.choice(("=", "<>", "<", "<=", ">", ">=", "BETWEEN"))
        if sign == "BETWEEN":
            return f"{column} BETWEEN '2022-12-31' AND '{day}'"
        return f"{column} {sign} '{day}'"

    def _missing(self, tables: dict[str, str]) -> str:
        return f"{self._any(tables)} IS {self._random.choice(('', 'NOT '))}NULL"

"""Whatever is written: the guard answers, soon, and what it lets through it lets through again as it is."""

import random
import time

from hypothesis import example, given
from hypothesis import strategies as st

from dragoman.contracts.schema import Dialect
from dragoman.guards.sql import judge_sql
from tests.guards.sql.corpus import attacks, legitimate

DIALECTS = st.sampled_from(list(Dialect))
QUERIES = {
    dialect: [query.sql for query in legitimate(dialect)] + [attack.sql for attack in attacks(dialect)]
    for dialect in Dialect
}
PIECES = (
    *(
        "'",
        '"',
        "`",
        "\\",
        "--",
        "/*",
        "*/",
        "#",
        ";",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "$$",
        "$a$",
        "E'",
        "U&'",
        "@",
        "@@",
    ),
    *(
        ":=",
        "::",
        "->",
        "?",
        "%s",
        "$1",
        "=",
        "<",
        "||",
        ",",
        ".",
        "*",
        "\n",
        " ",
        "\u00a0",
        "é",
        "я",
        "1",
        "1.e",
        "0x1",
    ),
    *(
        "SELECT",
        "FROM",
        "WHERE",
        "WITH",
        "RECURSIVE",
        "AS",
        "UNION",
        "INTO",
        "FOR UPDATE",
        "LIMIT",
        "JOIN",
        "ON",
        "CASE",
    ),
    *(
        "WHEN",
        "THEN",
        "END",
        "NOT",
        "NULL",
        "INTERVAL",
        "DATE",
        "ARRAY",
        "CAST",
        "VALUES",
        "LATERAL",
        "OVER",
        "IN",
        "a",
    ),
    *(
        "t",
        "pg_sleep",
        "upper",
        "count(*)",
        "customers",
        "information_schema.tables",
        "DELETE FROM t",
        "x'1f'",
        "N'a'",
    ),
)


def judge(sql: str, dialect: Dialect) -> None:
    before = time.process_time()
    verdict = judge_sql(sql, dialect, row_limit=10)
    assert time.process_time() - before < 5
    assert verdict.reason
    if verdict.sql is not None:
        again = judge_sql(verdict.sql, dialect, row_limit=10)
        assert (again.sql, again.code) == (verdict.sql, None), again.reason
    else:
        assert verdict.code is not None


@given(st.text(), DIALECTS)
def test_any_text_gets_a_verdict(text: str, dialect: Dialect) -> None:
    judge(text, dialect)
    judge(f"SELECT {text}", dialect)


@given(st.lists(st.sampled_from(PIECES), max_size=25), DIALECTS)
def test_any_pieces_get_a_verdict(pieces: list[str], dialect: Dialect) -> None:
    judge("SELECT " + " ".join(pieces), dialect)
    judge("SELECT a FROM t WHERE " + "".join(pieces), dialect)


@given(st.integers(0, 2**32), DIALECTS)
@example(0, Dialect.POSTGRES)
def test_any_change_of_a_query_gets_a_verdict(seed: int, dialect: Dialect) -> None:
    chance = random.Random(seed)
    text = chance.choice(QUERIES[dialect])
    for _ in range(chance.randint(1, 4)):
        text = _changed(text, dialect, chance)
    judge(text, dialect)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp"]), max_size=40), DIALECTS)
def test_a_value_stays_a_value(value: str, dialect: Dialect) -> None:
    """However a text is spelled, what is written anew holds one text and nothing beside it."""
    if (
        "{{" in value
        or "{%" in value
        or "{#" in value
        or "/*!" in value
        or "/*M!" in value
        or "dragoman__" in value.lower()
    ):
        return
    escaped = value.replace("'", "''")
    if dialect is Dialect.MYSQL:
        escaped = escaped.replace("\\", "\\\\")
    verdict = judge_sql(f"SELECT '{escaped}' AS v", dialect)
    assert verdict.sql == f"SELECT '{escaped}' AS v", verdict.reason


def _changed(text: str, dialect: Dialect, chance: random.Random) -> str:
    place, end = sorted((chance.randint(0, len(text)), chance.randint(0, len(text))))
    other = chance.choice(QUERIES[dialect])
    match chance.randint(0, 5):
        case 0:
            return text[:place] + text[end:]
        case 1:
            return text[:place] + chance.choice(PIECES) + text[place:]
        case 2:
            return text[:place] + text[place:end] * 2 + text[end:]
        case 3:
            return text[:place] + other[: chance.randint(0, len(other))] + text[place:]
        case 4:
            words = text.split(" ")
            chance.shuffle(words)
            return " ".join(words)
        case _:
            return f"SELECT * FROM ({text}) AS x WHERE EXISTS ({other})"

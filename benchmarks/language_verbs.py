"""CPU to read programs in verb notation, beside lark's LALR parser on the same grammar.

./do bench language_verbs

Both read the same text: 10,000 statements, with a position on everything. Dragoman makes its records, checks
numbers, dates, escapes and keys, and can recover from errors; lark makes its tree, and stops at the first.
Then the same statements ten times over: time must grow as the text does.
"""

import gc
import statistics
import sys
import time
from collections.abc import Callable
from importlib import import_module
from typing import Any

from dragoman.language.document import Document
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs

STATEMENTS = 10_000
RUNS = 5
BAR = 1 / 5
GROWTH_BAR = 1.35
"""Ten times the text may take this many times ten times the CPU: caches are smaller than the text."""

GRAMMAR = r"""
start: statement*
statement: "(" VERB argument* binding? ")"
argument: KEY value
binding: ":as" SYMBOL
?value: TEXT | BLOCK | DATE | DECIMAL | INTEGER | CONSTANT | SYMBOL | list | map | statement
list: "[" [value (","? value)* ","?] "]"
map: "{" argument* "}"

NAME: /[A-Za-z_][A-Za-z0-9_-]*/
VERB.2: /[A-Za-z_][A-Za-z0-9_-]*\.[A-Za-z_][A-Za-z0-9_-]*/
KEY: /:[A-Za-z_][A-Za-z0-9_-]*(?=\s)/
SYMBOL: /@[A-Za-z_][A-Za-z0-9_-]*/
BLOCK.3: /\"{3}[\s\S]*?\"{3}/
TEXT: /"(?:[^"\\\n]|\\(?:[nrt"\\]|u[0-9A-Fa-f]{4}))*"(?!")/
DATE.3: /[0-9]{4}-[0-9]{2}-[0-9]{2}/
DECIMAL.2: /-?(?:0|[1-9][0-9]*)\.[0-9]+/
INTEGER: /-?(?:0|[1-9][0-9]*)/
CONSTANT: /true|false|nil/
COMMENT: /;[^\n]*/
%ignore /[ \t\r\n]+/
%ignore COMMENT
"""

_PATTERN = (
    '(mysql.extractor :connection "@shop" :query "SELECT * FROM users" :as @extract-{n})\n',
    '(inventory.stock\n  :organization "{n}" ; Alfa Trade\n  :as-of 2020-04-30\n  :as @stock-{n})\n',
    '(duckdb.writer :needs [@extract-{n}, @stock-{n}] :format "csv" :path "u-{n}.csv" :header true)\n',
    "; the best of a year\n(customers.top :during [2020-01-01 2020-12-31] :top {n} :least -2.50 :by nil)\n",
    '(report.send :to {{:name "Ops \\"{n}\\"" :retries 3 :as 1}} :body (report.draft :id {n} :as @d-{n}))\n',
)


def program(statements: int) -> str:
    return "".join(_PATTERN[n % len(_PATTERN)].format(n=n) for n in range(statements))


def cpu_seconds(work: Callable[[], object]) -> float:
    gc.collect()
    before = time.process_time()
    kept = work()
    taken = time.process_time() - before
    del kept
    return taken


def read(text: str) -> Document:
    document = read_verbs(Source(text))
    assert not document.diagnostics, document.diagnostics[0]
    return document


def lark_parser() -> Any:
    # Installed for benchmarks only.
    lark = import_module("lark")
    return lark.Lark(GRAMMAR, parser="lalr", propagate_positions=True)


def main() -> int:
    text, long_text = program(STATEMENTS), program(STATEMENTS * 10)
    assert len(read(text).statements) == STATEMENTS
    parser = lark_parser()
    assert len(parser.parse(text).children) == STATEMENTS
    ours, larks = [], []
    for _ in range(RUNS):
        ours.append(cpu_seconds(lambda: read(text)))
        larks.append(cpu_seconds(lambda: parser.parse(text)))
    mine, theirs = statistics.median(ours), statistics.median(larks)
    ratio = mine / theirs
    growth = statistics.median(cpu_seconds(lambda: read(long_text)) for _ in range(3)) / (10 * mine)
    print(f"{STATEMENTS} statements, {len(text)} characters, median of {RUNS}")
    print(f"dragoman           {mine:.3f} s CPU")
    print(f"lark LALR          {theirs:.3f} s CPU")
    print(f"{STATEMENTS * 10} statements take {growth:.2f} times ten times as long")
    print(f"bar: at most {BAR:.2f} of lark: {ratio:.3f} {'PASS' if ratio <= BAR else 'FAIL'}")
    print(f"bar: linear growth: {'PASS' if growth <= GROWTH_BAR else 'FAIL'}")
    return int(ratio > BAR or growth > GROWTH_BAR)


if __name__ == "__main__":
    sys.exit(main())

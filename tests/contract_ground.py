"""The folders in which the cases of the contract run: made once by real commands, copied for every case."""

import json
import shutil
import sqlite3
from contextlib import chdir, closing
from pathlib import Path
from typing import Final

from dragoman import Workspace
from dragoman.cli import run

SESSION: Final = "SESSION"
"""Stands in a case for the id of the session that the demo already has."""

TABLES: Final = """
CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT);
CREATE TABLE orders (
  order_id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customer (customer_id),
  status TEXT, amount NUMERIC
);
INSERT INTO customer VALUES (1, 'Anna Berg', 'Oslo'), (2, 'Bo Lind', 'Oulu');
INSERT INTO orders VALUES (1, 1, 'open', 10), (2, 1, 'paid', 20), (3, 2, 'open', 30);
"""

REPORT: Final = {
    "completed_tasks": ["T1: Queue"],
    "in_progress": ["T2: Checks"],
    "blockers": [],
    "next_focus": ["T3: Tests"],
    "notes": "The tests come next.",
}
PLAN: Final = {
    "intent": "stock at the end of March",
    "request_type": "STATUS_METRIC",
    "track": "QUALITY",
    "required_sources": ["db"],
    "missing_info_questions": [],
    "expected_output_schema": "status_v1_json",
}
FILES: Final = {
    "count.verbs": "(orders.count :as @count)\n",
    "wrong.verbs": '(sqlite.extractor :connection "@shop" :tabel "orders" :as @rows)\n',
    "broken.verbs": "(orders.count :as\n",
    "export.verbs": (
        '(sqlite.extractor :connection "@shop" :table "orders" :as @rows)\n'
        '(duckdb.writer :needs [@rows] :format "csv" :path "orders.csv" :as @file)\n'
    ),
    "missing.verbs": (
        '(sqlite.extractor :connection "@shop" :table "nothing" :as @rows)\n'
        '(duckdb.writer :needs [@rows] :format "csv" :path "nothing.csv" :as @file)\n'
    ),
    "all.yaml": (
        'oml_version: "0.1.0"\nname: all-orders\nsteps:\n'
        "  - {id: rows, component: sqlite.extractor, mode: read,"
        ' config: {connection: "@shop", table: orders}}\n'
    ),
    "report.json": json.dumps(REPORT),
    "bad-report.json": json.dumps({**REPORT, "notes": ""}),
    "twice-report.json": json.dumps({**REPORT, "blockers": ["B1", "B1"]}),
    "near-report.json": "```json\n" + json.dumps({**REPORT, "notes": "Done.  "}) + "\n```\n",
    "plan.json": json.dumps(PLAN),
    "bad-plan.json": json.dumps({**PLAN, "track": "SLOW"}),
    "good.sql": "SELECT status FROM orders",
    "bad.sql": "DELETE FROM orders",
    "good.jsonl": json.dumps(
        {
            "id": "good",
            "db": "shop",
            "turns": [
                {"user": "how many orders are there?", "expect_transition": "T1", "gold": [[3]]},
                {"user": "and with status open?", "expect_answer_mode": "confirmed"},
            ],
        }
    )
    + "\n",
    "differs.jsonl": json.dumps(
        {"id": "differs", "db": "shop", "turns": [{"user": "how many orders are there?", "gold": [[4]]}]}
    )
    + "\n",
    "demo.jsonl": json.dumps(
        {
            "id": 7,
            "turns": [
                {"user": "stock of Alfa Trade", "expect_transition": "T1"},
                {"user": "as of 31 March 2020", "expect_transition": "T7"},
                {"user": "Oak desk 120", "expect_transition": "T3"},
                {"user": "why?", "expect_mode": "meta_followup"},
                {"user": "", "expect_error": "input_empty"},
            ],
        }
    )
    + "\n",
    "plain.jsonl": '{"id": "plain", "turns": [{"user": "how many orders are there?"}]}\n',
    "unsure.jsonl": json.dumps(
        {"id": "unsure", "db": "shop", "turns": [{"user": "how many orders are blorped?"}]}
    )
    + "\n",
    "malformed.jsonl": '{"id": "x", "turns": [{"user": "hello", "expect_transitoin": "T1"}]}\n',
}


def lay_ground(folder: Path) -> str:
    """`files` with a database and what the commands read, `shop` with the same as a workspace, `demo` with a
    session of one turn, and `empty`. Returns the id of that session."""
    for name in ("shop", "demo", "empty"):
        (folder / name).mkdir()
    for name, text in FILES.items():
        (folder / "shop" / name).write_text(text, "utf-8")
    with closing(sqlite3.connect(folder / "shop" / "shop.sqlite")) as database:
        database.executescript(TABLES)
    shutil.copytree(folder / "shop", folder / "files")
    with chdir(folder / "shop"):
        assert run(["init", "shop.sqlite"]) == 0
    with closing(Workspace.open(folder / "demo")) as demo:
        session = demo.new_session(title="contract")
        demo.ask(session, "receivables of Beta Retail as of 31 March 2020")
    return session

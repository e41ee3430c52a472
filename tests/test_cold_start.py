"""What a single question and a single run load. Seconds depend on the machine; what is loaded does not."""

import json
import subprocess
import sys
from pathlib import Path

from dragoman.guards.secrets import may_hold_secret

HEAVY = frozenset(
    (
        *("duckdb", "pyarrow", "numpy", "pandas", "pydantic", "tantivy", "connectorx", "psycopg", "pymysql"),
        *("pymorphy3", "simplemma", "kiwipiepy", "rich", "prompt_toolkit", "httpx", "asyncio", "fastapi"),
    )
)
"""What a question in English over SQLite has no use for."""

UNUSED = frozenset(
    (
        *("dragoman.databases.discovery.discovery", "dragoman.entities.likeness", "dragoman.guards.paths"),
        *("dragoman.planning.pivot.renderer", "html"),
        *("dragoman.planning.database.follow_up", "dragoman.planning.tables.follow_up_readings"),
    )
)
"""What a first question has no use for that creates, writes and follows nothing."""

SCRIPT = """
import json, sys
from dragoman.cli import run
code = run(sys.argv[1:])
sys.stdout.flush()
print()
print(json.dumps([code, sorted(sys.modules)]))
"""


def modules_after(folder: Path, *arguments: str) -> frozenset[str]:
    """The modules that a command has loaded when it is done."""
    started = subprocess.run(
        [sys.executable, "-c", SCRIPT, *arguments], cwd=folder, capture_output=True, text=True, check=True
    )
    code, modules = json.loads(started.stdout.splitlines()[-1])
    assert code == 0, started.stderr
    return frozenset(modules)


def heavy_of(modules: frozenset[str]) -> frozenset[str]:
    return frozenset(module.partition(".")[0] for module in modules) & HEAVY


def test_a_question_loads_nothing_heavy(tmp_path: Path) -> None:
    demo, own = tmp_path / "demo", tmp_path / "own"
    demo.mkdir()
    own.mkdir()
    asked = modules_after(demo, "ask", "receivables of Beta Retail as of 31 May 2020")
    assert heavy_of(asked) == frozenset()
    # The very first has made the demo.
    asked = modules_after(demo, "ask", "receivables of Beta Retail as of 31 May 2020")
    assert not asked & UNUSED
    assert not asked & {"rapidfuzz", "wcwidth", "dragoman.planning.database.joint"}
    modules_after(own, "init", str(demo / ".dragoman/demo/trade.sqlite"))
    asked = modules_after(own, "ask", "how many documents are there since 2020-04-01?")
    assert heavy_of(asked) == frozenset()
    assert not asked & UNUSED
    assert not any(module.startswith("dragoman.engine.components.") for module in asked)


def test_the_files_of_a_new_workspace_need_no_closer_look_for_secrets(tmp_path: Path) -> None:
    """It would compile some thirty patterns at every start."""
    modules_after(tmp_path, "init")
    assert not may_hold_secret((tmp_path / "connections.yaml").read_text("utf-8").split("# shop:")[0])


def test_the_version_loads_no_part_of_a_workspace(tmp_path: Path) -> None:
    loaded = modules_after(tmp_path, "--version")
    assert heavy_of(loaded) == frozenset()
    assert not loaded & {"sqlglot", "yaml", "dragoman.workspace.workspace", "dragoman.turn"}


def test_a_run_of_tables_does_without_the_sql_parser(tmp_path: Path) -> None:
    """A step that copies a table reads what discovery found before; it neither searches nor parses."""
    modules_after(tmp_path, "ask", "receivables of Beta Retail as of 31 May 2020")
    own = tmp_path / "own"
    own.mkdir()
    modules_after(own, "init", str(tmp_path / ".dragoman/demo/trade.sqlite"))
    (own / "export.verbs").write_text(
        '(sqlite.extractor :connection "@trade" :table "document" :as @documents)\n'
        '(duckdb.writer :needs [@documents] :format "csv" :path "documents.csv" :as @file)\n'
    )
    loaded = modules_after(own, "run", "export.verbs", "--yes")
    assert not loaded & {"sqlglot", "dragoman.databases.discovery.discovery", "dragoman.turn"}
    assert "duckdb" in loaded, "what the run is made with"

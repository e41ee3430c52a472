"""Whatever is typed, the planner of pipelines proposes something or nothing, and never fails."""

from collections.abc import Iterator
from typing import Final

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from dragoman import Workspace
from tests.conftest import LONG
from tests.pipelines.studio import make_studio

WORDS: Final = [
    "export",
    "copy",
    "sync",
    "save",
    "send",
    "выгрузи",
    "скопируй",
    "내보내",
    "exportiere",
    "all",
    "tables",
    "except",
    "members",
    "lessons",
    "bookings",
    "audit_log",
    "studio",
    "desk",
    "archive",
    "lake",
    "cloud",
    "@lake",
    "@desk",
    "sqlite",
    "csv",
    "parquet",
    "jsonl",
    "semicolon",
    "header",
    "without",
    "with",
    "only",
    "paid",
    "of",
    "2023",
    "by",
    "month",
    "partitioned",
    "to",
    "from",
    "into",
    "as",
    "the",
    "and",
    "also",
    "instead",
    "append",
    "replace",
    "column",
    "name",
    "email",
    "every",
    "night",
    "top",
    "3",
    "over",
    "15",
    "not",
    "cancelled",
    "call",
    "it",
    "x.csv",
    "out/",
    "../up",
    "'quoted'",
    '"a',
    'b"',
    ";",
    ",",
    ".",
    "/",
    "qzatom0",
    "qzatom",
    "lake-copy",
    "desk_2",
]
MESSAGES: Final = st.lists(
    st.one_of(st.sampled_from(WORDS), st.text(min_size=1, max_size=6)), min_size=1, max_size=12
)


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = make_studio(tmp_path_factory.mktemp("any") / "studio")
    # A name of two words, which a message may break off in the middle of.
    written = folder / "connections.yaml"
    written.write_text(
        written.read_text("utf-8") + "north-sea-lake: {family: duckdb, path: lake.duckdb}\n", "utf-8"
    )
    with Workspace.open(folder) as opened:
        opened.ask(opened.new_session(), "how many members do we have?")
        yield opened


@settings(max_examples=1_000 if LONG else 12, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(MESSAGES, min_size=1, max_size=2))
@example([["members", "of", "the", "north"]])
@example([["copy", "qzatom7", "to", "qzatom0.csv"]])
def test_any_message_ends_as_a_turn(workspace: Workspace, messages: list[list[str]]) -> None:
    session = workspace.new_session()
    workspace.ask(session, "export members to csv")
    for words in messages:
        text = " ".join("".join(letter for letter in word if letter.isprintable()) for word in words).strip()
        if text:
            assert workspace.ask(session, text).message

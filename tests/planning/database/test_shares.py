"""Messages after a share of each group: a number holds the rows, for a share has no measure."""

from pathlib import Path

from dragoman.databases.values import read_values
from dragoman.planning.database.follow_up import follow_ups
from dragoman.planning.database.planner import QuestionPlanner
from tests.planning.tables.library import Library
from tests.tables.test_engines import statement


def test_a_bare_number_after_a_share_of_groups_holds_the_rows(tmp_path: Path) -> None:
    library = Library(tmp_path / "library.sqlite")
    try:
        values = read_values(library.reader, library.schema)
        planner = QuestionPlanner(library.tables, library.schema, values)
        share = statement('(member.share :that {:age {:above 30}} :by "gender")')
        best = follow_ups("more than 17", share, planner)[0]
        held = '(member.share :that {:age {:above 30}} :by "gender" :age {:above 17})'
        assert best.statement == statement(held)
    finally:
        library.reader.close()

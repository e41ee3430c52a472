"""What could be offered is tried before somebody is asked."""

from dragoman.contracts.program import Statement
from dragoman.language.source import Source
from dragoman.language.verbs.verb_reader import read_verbs
from dragoman.planning.database.tried_offers import marks_of_trying, rows_behind


def _read(program: str) -> Statement:
    return read_verbs(Source(program)).statements[0]


def test_of_a_figure_the_rows_behind_it_are_tried() -> None:
    behind = rows_behind(_read('(fair.sum :of "fee" :town "Ulm")'))
    assert behind == _read('(fair.list :town "Ulm" :limit 1)')
    assert rows_behind(_read('(fair.count :of "town" :distinct true)')) == _read("(fair.list :limit 1)")


def test_what_gives_rows_of_its_own_is_tried_as_it_is() -> None:
    for program in ("(fair.list)", '(fair.count :by "town")', '(fair.count :by "town" :having {:count 3})'):
        assert rows_behind(_read(program)) == _read(program)


def test_what_finds_nothing_says_so() -> None:
    rows = {
        _read('(fair.list :town "Ulm")'): 0,
        _read('(fair.list :town "Jena")'): 1,
        _read("(fair.list)"): 300,
    }
    found = marks_of_trying([(each, False) for each in rows], lambda statement, _: rows[statement])
    assert [each["nothing"] for each in found] == [1.0, 0.0, 0.0]
    assert [each["one row"] for each in found] == [0.0, 1.0, 0.0]
    assert [each["many rows"] for each in found] == [0.0, 0.0, 1.0]


def test_behind_one_that_takes_too_long_none_is_tried() -> None:
    tried: list[Statement] = []

    def slow(statement: Statement, _: bool) -> int | None:
        tried.append(statement)
        return None

    asked = [(_read("(fair.list)"), False), (_read('(fair.list :town "Ulm")'), False)]
    assert marks_of_trying(asked, slow) == [{}, {}]
    assert len(tried) == 1

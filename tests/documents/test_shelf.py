"""A shelf of documents in four languages and two formats, asked as people ask."""

from pathlib import Path
from typing import Final

from benchmarks.documents import Wanted, asked, questions, report

SHELF: Final = Path(__file__).parent / "shelf"


def test_passages_are_found_and_what_stands_nowhere_is_refused() -> None:
    outcomes = list(asked(SHELF / "documents", questions(SHELF / "questions.jsonl")))
    within = [each for each in outcomes if each.wanted.file]
    without = [each for each in outcomes if not each.wanted.file]
    said = report(outcomes)
    assert sum(each.found(3, ranked=True) for each in within) >= 0.95 * len(within), said
    assert sum(each.found(3) for each in within) >= 0.85 * len(within), said
    assert sum(each.answered for each in without) <= 0.1 * len(without), said
    assert sum(each.answered and not each.found(3) for each in within) <= 0.03 * len(within), said


def test_a_citation_is_at_a_passage_where_they_share_a_line() -> None:
    wanted = Wanted("1", "?", "en", "a.md", 5, 8)
    assert [
        wanted.is_at(ref)
        for ref in ("docs/a.md:8-9", "docs/a.md:5", "docs/a.md:9", "docs/b.md:5", "docs/a.md:1-4")
    ] == [
        True,
        True,
        False,
        False,
        False,
    ]
    assert Wanted("1", "?", "en", "a.pdf", 2, 2).is_at("docs/a.pdf:p2")

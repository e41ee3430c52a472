"""What each kind of document is read as: headings and paragraphs with their lines."""

from pathlib import Path

from dragoman.documents.blocks import Block
from dragoman.documents.chunks import LONGEST, chunks
from dragoman.documents.html_texts import html_blocks
from dragoman.documents.markdown import markdown_blocks
from dragoman.documents.pdf_texts import pdf_blocks
from dragoman.documents.plain_texts import plain_blocks
from tests.documents.places import pdf


def _markdown(text: str) -> list[Block]:
    return list(markdown_blocks(text.split("\n")))


def test_markdown_has_headings_paragraphs_and_lists_with_their_lines() -> None:
    found = _markdown(
        "# One *big* day\n\nA line\nand [another](https://example.org).\n\n"
        "- first\n- second\n\nTwo\n---\nEnd."
    )
    assert found == [
        Block("One big day", 1, 1, 1),
        Block("A line and another.", 3, 4),
        Block("- first\n- second", 6, 7, parted=True),
        Block("Two", 9, 10, 2),
        Block("End.", 11, 11),
    ]


def test_markdown_keeps_what_announces_a_list_with_it() -> None:
    assert [
        (each.first, each.last) for each in _markdown("You need:\n\n- a key\n- a lamp\n\nNothing else.")
    ] == [
        (1, 4),
        (6, 6),
    ]


def test_markdown_leaves_front_matter_out_and_keeps_code_and_tables() -> None:
    found = _markdown("---\ntitle: x\n---\n```\nrun it\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |")
    assert [(each.text, each.first, each.last) for each in found] == [
        ("run it", 4, 6),
        ("| a | b |\n| 1 | 2 |", 8, 10),
    ]


def test_a_fence_that_never_ends_is_read_to_the_end() -> None:
    assert [each.last for each in _markdown("```\none\ntwo")] == [3]


def test_plain_text_has_headings_by_how_they_stand() -> None:
    found = list(
        plain_blocks(["Title", "=====", "", "Rules", "", "One must", "not run.", "", "STAFF", "may run."])
    )
    assert [(each.text, each.first, each.last, each.level) for each in found] == [
        ("Title", 1, 2, 1),
        ("Rules", 4, 4, 2),
        ("One must not run.", 6, 7, 0),
        ("STAFF", 9, 9, 2),
        ("may run.", 10, 10, 0),
    ]


def test_html_has_its_text_alone_with_its_lines() -> None:
    found = html_blocks(
        "<html><head><title>Care</title><script>alert('no')</script></head>\n<body><h2>Water</h2>\n"
        "<p>Twice a <b>week</b>,\nnever at noon.</p>\n<p>You need:</p>\n<ul><li>a can</li>\n"
        "<li>water</li></ul></body>"
    )
    assert [(each.text, each.first, each.last, each.level) for each in found] == [
        ("Care", 1, 1, 1),
        ("Water", 2, 2, 2),
        ("Twice a week, never at noon.", 3, 4, 0),
        ("You need:\na can\nwater", 5, 7, 0),
    ]


def test_html_that_is_broken_in_every_way_is_read_as_far_as_it_goes() -> None:
    assert [
        each.text for each in html_blocks("</p></ul><li>one<td>two<!-- <![x <p>three &nosuch; &#99999999;")
    ]
    assert html_blocks("<script>never closed") == []


def test_a_pdf_has_its_pages(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(
        pdf("Keep the gate shut.", "Feed the hens at dawn.\nCount them at dusk.")
    )
    found = pdf_blocks(tmp_path / "a.pdf")
    assert [(each.page, each.text) for each in found] == [
        (1, "Keep the gate shut."),
        (2, "Feed the hens at dawn. Count them at dusk."),
    ]


def test_passages_stand_under_their_headings_and_no_other() -> None:
    found = list(
        chunks(_markdown(f"# A\n\n{'One two. ' * 9}\n\n## B\n\n{'Three. ' * 12}\n\n# C\n\n{'Four. ' * 12}"))
    )
    assert [(each.heading, each.first) for each in found] == [("A", 3), ("A › B", 7), ("C", 11)]


def test_a_short_line_goes_with_its_neighbour_of_the_section() -> None:
    found = list(chunks(_markdown(f"# A\n\nMind:\n\n{'The step is high. ' * 5}\n\n# B\n\nShort.")))
    assert [(each.first, each.last) for each in found] == [(3, 5), (9, 9)]


def test_long_lists_are_parted_by_their_lines_and_long_texts_by_sentences() -> None:
    rows = "\n".join(f"- item {number} {'x' * 90}" for number in range(30))
    parts = list(chunks(_markdown(rows)))
    assert all(len(each.text) <= LONGEST + 100 for each in parts)
    assert [each.first for each in parts[1:]] == [each.last + 1 for each in parts[:-1]]
    whole = list(chunks(_markdown("A sentence of some length. " * 200)))
    assert len(whole) > 1
    assert {(each.first, each.last) for each in whole} == {(1, 1)}
    assert all(len(each.text) <= LONGEST + 30 for each in whole)


def test_a_line_without_an_end_is_cut() -> None:
    assert max(len(each.text) for each in chunks(_markdown("x" * 10 * LONGEST))) <= LONGEST

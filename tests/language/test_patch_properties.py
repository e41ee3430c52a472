"""What holds for every text: patches lead exactly from one to the other, and never half-way anywhere else."""

import re
import time
from collections.abc import Callable

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dragoman.language.patches import (
    Applied,
    Form,
    Hunk,
    Patch,
    PatchCode,
    Refused,
    Role,
    apply_patch,
    patch_between,
    read_patch,
)
from dragoman.language.patches.model import hunks_of
from dragoman.language.patches.places import last_places

CODES = {str(code) for code in PatchCode}
FORMS = st.sampled_from(Form)

# Few different lines, so that texts repeat themselves; lines that look like parts of a patch; odd characters.
LIKE_STRUCTURE = """\
-- a/x
++ b/x
@@
@@ -1 +1 @@
*** End Patch
*** End of File
\\ No newline at end of file
-
+"""
ODD = ["", " ", "a", "b", "(a.b :x 1)", "é", "\r", "a\r", "\x0c", "\u2028", "\x85", "\x00", "\ufeff"]
LINES = st.sampled_from([*ODD, *LIKE_STRUCTURE.split("\n")]) | st.text(max_size=6)
TEXTS = st.builds(
    lambda lines, end: "\n".join(lines) + end,
    st.lists(LINES, max_size=14),
    st.sampled_from(["", "\n", "\r\n"]),
)


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, str]:
    """A text, and the same after a few of its lines were cut, doubled or replaced."""
    lines = draw(st.lists(LINES, max_size=30))
    edited = list(lines)
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(edited)))
        edited[at : at + draw(st.integers(0, 3))] = draw(st.lists(LINES, max_size=3))
    ends = st.sampled_from(["", "\n"])
    return "\n".join(lines) + draw(ends), "\n".join(edited) + draw(ends)


def read(text: str) -> Patch:
    result = read_patch(text)
    assert result.patch is not None, result.diagnostics
    return result.patch


@given(edits() | st.tuples(TEXTS, TEXTS), FORMS)
def test_a_patch_leads_exactly_from_old_to_new(pair: tuple[str, str], form: Form) -> None:
    old, new = pair
    text = patch_between(old, new, "reports/stock.verbs", form)
    if old == new:
        assert text == ""
        return
    applied = apply_patch(read(text), {"reports/stock.verbs": old})
    assert isinstance(applied, Applied), applied
    assert applied.onto({}) == {"reports/stock.verbs": new}


@given(
    st.lists(st.sampled_from("ab(\u00e9"), max_size=20), st.lists(st.sampled_from("ab(\u00e9"), max_size=20)
)
def test_a_patch_carried_with_crlf_says_the_same(old_lines: list[str], new_lines: list[str]) -> None:
    old, new = ("".join(line + "\n" for line in lines) for lines in (old_lines, new_lines))
    if old == new:
        return
    carried = patch_between(old, new, "a").replace("\n", "\r\n")
    for line_end in ("\n", "\r\n"):
        applied = apply_patch(read(carried), {"a": old.replace("\n", line_end)})
        assert isinstance(applied, Applied), applied
        # An empty file shows no line ends of its own: it gets line feeds.
        assert applied.onto({}) == {"a": new.replace("\n", line_end) if old else new}


def sides(hunk: Hunk) -> tuple[str, str]:
    old = "".join(line.text + "\n" * line.ended for line in hunk.lines if line.role is not Role.ADDED)
    new = "".join(line.text + "\n" * line.ended for line in hunk.lines if line.role is not Role.REMOVED)
    return old, new


@given(edits(), edits(), FORMS, st.booleans())
def test_on_another_text_it_is_refused_or_exact(
    pair: tuple[str, str], others: tuple[str, str], form: Form, numbered: bool
) -> None:
    """Exact: putting the old lines back where the new ones now stand gives the other text again."""
    old, new = pair
    text = patch_between(old, new, "a", form)
    if old == new:
        return
    if not numbered and form is Form.ENVELOPE:
        text = re.sub(r"(?m)^@@ -.* @@$", "@@", text)
    patch = read(text)
    for other in (*others, old + others[0], others[0] + "\n" + old):
        applied = apply_patch(patch, {"a": other})
        if isinstance(applied, Refused):
            assert {finding.code for finding in applied.diagnostics} <= CODES
            continue
        result = applied.onto({})["a"]
        assert taken_back(patch, result, other)


def taken_back(patch: Patch, result: str, other: str) -> bool:
    """Whether the text is what the hunks, wherever they stand in order of the text, made of the other one."""
    hunks = sorted(hunks_of(patch.changes[0]), key=lambda hunk: hunk.start or 0)
    marked = any(not line.ended for hunk in hunks for line in hunk.lines)
    if patch.form is Form.ENVELOPE and not marked and other and not other.endswith("\n"):
        result, other = result + "\n" * bool(result), other + "\n"
    reachable = {(0, 0)}
    for hunk in hunks:
        old, new = sides(hunk)
        reachable = {
            (at + len(old), there + len(new))
            for start, start_there in reachable
            for at in places(other, old, start)
            for there in [start_there + at - start]
            if result[start_there:there] == other[start:at] and result.startswith(new, there)
            if hunk.start is None or other.count("\n", 0, at) == max(0, hunk.start - 1)
        }
    return any(result[there:] == other[at:] for at, there in reachable)


def places(text: str, part: str, start: int) -> list[int]:
    """Where the lines stand in the text: at the beginnings of lines, from an offset on."""
    beginnings = [0, *(match.end() for match in re.finditer("\n", text))]
    return [at for at in beginnings if at >= start and text.startswith(part, at)]


@given(edits(), st.integers(2, 3))
def test_lines_found_in_two_places_are_refused(pair: tuple[str, str], times: int) -> None:
    old, new = pair
    if old == new or not old.endswith("\n") or not new.endswith("\n"):
        return
    body = "".join(f"-{line}\n" for line in old.split("\n")[:-1])
    text = f"*** Begin Patch\n*** Update File: a\n@@\n{body}+new\n*** End Patch\n"
    refused = apply_patch(read(text), {"a": old * times})
    assert isinstance(refused, Refused)
    assert refused.code == "hunk_ambiguous"


@given(st.lists(edits(), min_size=2, max_size=4), FORMS, st.data())
def test_one_part_that_does_not_fit_leaves_all_as_it_was(
    pairs: list[tuple[str, str]], form: Form, data: st.DataObject
) -> None:
    changed = [(old, new) for old, new in pairs if old != new]
    if len(changed) < 2:
        return
    files = {f"file-{number}": old for number, (old, _) in enumerate(changed)}
    parts = [patch_between(old, new, f"file-{number}", form) for number, (old, new) in enumerate(changed)]
    whole = joined(parts, form)
    applied = apply_patch(read(whole), files)
    assert isinstance(applied, Applied), applied
    assert applied.onto(files) == {f"file-{number}": new for number, (_, new) in enumerate(changed)}

    broken = data.draw(st.sampled_from(sorted(files)))
    before = {**files, broken: "no line of it was ever there"}
    given_files = dict(before)
    refused = apply_patch(read(whole), given_files)
    assert isinstance(refused, Refused)
    assert given_files == before


def joined(parts: list[str], form: Form) -> str:
    if form is Form.UNIFIED:
        return "".join(parts)
    inner = (part.removeprefix("*** Begin Patch\n").removesuffix("*** End Patch\n") for part in parts)
    return f"*** Begin Patch\n{''.join(inner)}*** End Patch\n"


@given(
    st.lists(st.lists(st.sampled_from("ab"), min_size=1, max_size=4), max_size=8), st.text("abc", max_size=30)
)
@example([["a"], ["a", "a"], ["a", "a", "a"]], "aaab")
def test_places_are_those_a_plain_search_finds(parts: list[list[str]], text: str) -> None:
    sequences = [tuple(part) for part in parts]
    for sequence, found in zip(sequences, last_places(sequences, list(text)), strict=True):
        everywhere = [at for at in range(len(text)) if text.startswith("".join(sequence), at)]
        assert list(found) == everywhere[::-1][:2]


# No input crashes or hangs.

STRUCTURE = """\
*** Begin Patch
*** End Patch
*** Update File: a
*** Add File: b
*** Delete File: c
*** Move to: d
*** End of File
*** Frobnicate
@@
@@ x
@@ -1,2 +1,2 @@
@@ -0,0 +1 @@
diff --git a/a b/a
diff --git "a/a" b/a
diff -u a b
index 1..2 100644
new file mode 100644
deleted file mode 100644
old mode 120000
rename from a
rename to b
copy from a
Binary files a and b differ
GIT binary patch
--- a/a
+++ b/a
--- /dev/null
+++ /dev/null
--- "a/\\303\\251"
+++ "b/\\303\\251
\\ No newline at end of file
 x
-x
+x
x
"""
PIECES = st.sampled_from([*STRUCTURE.split("\n"), "\r"]) | st.text(max_size=10)
SALAD = st.lists(PIECES, max_size=25).map("\n".join)


def judge(text: str) -> None:
    for ascii_only in (False, True):
        result = read_patch(text, ascii_only=ascii_only)
        assert result.ok is (not result.diagnostics)
        for finding in result.diagnostics:
            assert finding.code in CODES
            assert finding.message
            assert finding.hint
            span = finding.span
            assert span is not None
            assert 0 <= span.start <= span.end <= len(text)
            assert span.line == text.count("\n", 0, span.start) + 1
            assert span.column == span.start - (text.rfind("\n", 0, span.start) + 1) + 1
        if result.patch is not None:
            for files in ({}, {"a": "x\n", "c": ""}, {"a": "", "b": "x"}):
                applied = apply_patch(result.patch, files)
                assert isinstance(applied, Applied | Refused)


@given(SALAD)
def test_pieces_of_patches_in_any_order_are_judged(text: str) -> None:
    judge(text)


@given(st.text() | st.binary().map(lambda data: data.decode("utf-8", "surrogateescape")))
def test_any_text_is_judged(text: str) -> None:
    judge(text)


@given(
    edits(),
    FORMS,
    st.lists(st.tuples(st.integers(0, 10_000), st.integers(0, 4), st.text(max_size=3)), max_size=4),
)
def test_a_damaged_patch_is_judged(
    pair: tuple[str, str], form: Form, damages: list[tuple[int, int, str]]
) -> None:
    text = patch_between(*pair, "a", form)
    for at, cut, put in damages:
        at %= len(text) + 1
        text = text[:at] + put + text[at + cut :]
    judge(text)


@given(edits(), st.data())
def test_half_an_envelope_is_never_taken_for_a_whole_one(pair: tuple[str, str], data: st.DataObject) -> None:
    text = patch_between(*pair, "a", Form.ENVELOPE)
    cut = text[: data.draw(st.integers(0, max(0, len(text) - 2)))]
    assert read_patch(cut).code in {"empty_diff_output", "diff_missing_header", "diff_missing_end"}


def context(lines: int) -> str:
    return " x\n" * lines


GROWING: dict[str, Callable[[int], str]] = {
    "hunks": lambda n: "*** Begin Patch\n*** Update File: a\n" + "@@\n-x\n+y\n" * n + "*** End Patch\n",
    "context": lambda n: f"*** Begin Patch\n*** Update File: a\n@@\n{context(3 * n)}-z\n*** End Patch\n",
    "numbered": lambda n: "--- a/a\n+++ b/a\n" + "@@ -1 +1 @@\n-x\n+y\n" * n,
    "errors": lambda n: "--- a/a\n+++ b/a\n" * n,
    "prose": lambda n: "prose\n\n" * n,
}


@pytest.mark.parametrize("kind", GROWING)
def test_time_grows_with_the_patch(kind: str) -> None:
    files = {"a": "x\n" * 10_000}

    def cost(size: int) -> float:
        text = GROWING[kind](size)
        start = time.process_time()
        result = read_patch(text)
        if result.patch is not None:
            apply_patch(result.patch, files)
        return time.process_time() - start

    small, large = min(cost(2_000) for _ in range(3)), min(cost(32_000) for _ in range(2))
    # Sixteen times the text: sixteen times the work and some noise; squared work would be 256 times.
    assert large < 48 * small + 0.05

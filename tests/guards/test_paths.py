"""The path guard: what leads out of the workspace, by whatever spelling or link, is denied with a code."""

import os
import socket
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dragoman.guards.paths import PathCode, PathDecision, PathVerdict, is_protected, judge_path


def verdict(root: Path | str, path: str) -> PathVerdict:
    found = judge_path(str(root), path)
    assert (found.verdict is PathDecision.ALLOW) == (found.code is None) == (found.resolved is not None)
    assert found.message
    return found


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a sibling whose name begins like its own, and links of every kind."""
    root, evil = tmp_path / "ws", tmp_path / "ws-evil"
    for folder in (root / "data" / "deep", root / ".git", root / ".dragoman", evil):
        folder.mkdir(parents=True)
    for file in (
        root / "data" / "a.csv",
        evil / "secret.txt",
        tmp_path / "above.txt",
        root / ".git" / "config",
    ):
        file.write_text("x")
    links = {
        "inside": "data/a.csv",
        "inside-folder": "data",
        "inside-absolute": str(root / "data"),
        "through": "../ws/data",
        "out": "../ws-evil",
        "out-absolute": str(evil),
        "out-file": str(evil / "secret.txt"),
        "up": "..",
        "data/up": "../..",
        "dangling-out": "../nowhere/x",
        "dangling-in": "data/not-yet.csv",
        "loop": "loop",
        "ping": "pong",
        "pong": "ping",
        "chain": "chain-2",
        "chain-2": "out",
        "innocent": ".git",
        "etc": "/etc",
        "dev": "/dev/null",
    }
    for name, target in links.items():
        (root / name).symlink_to(target)
    return root


ALLOWED = {
    "users.csv": "users.csv",
    "./users.csv": "users.csv",
    "data//deep/./b.parquet": "data/deep/b.parquet",
    "data/../users.csv": "users.csv",
    "data/deep/../../users.csv": "users.csv",
    "missing/../users.csv": "users.csv",
    "missing/folder/b.csv": "missing/folder/b.csv",
    "../ws/users.csv": "users.csv",
    ".": "",
    "data/": "data",
    "data/..": "",
    "inside": "data/a.csv",
    "inside-folder/b.csv": "data/b.csv",
    "inside-absolute/b.csv": "data/b.csv",
    "inside-absolute/../b.csv": "b.csv",
    "through/a.csv": "data/a.csv",
    "dangling-in": "data/not-yet.csv",
    "data/up/ws/b.csv": "b.csv",
    "a.b.csv": "a.b.csv",
    ".hidden.csv": ".hidden.csv",
    ".gitignore": ".gitignore",
    ".github/x.yaml": ".github/x.yaml",
    ".dragoman-notes": ".dragoman-notes",
    "git/x": "git/x",
    "sales 2020.csv": "sales 2020.csv",
    "отчёт за март.csv": "отчёт за март.csv",
    "отче\u0308т.csv": "отче\u0308т.csv",
    "매출 보고서.csv": "매출 보고서.csv",
    "매출": "매출",
    "日報：三月.csv": "日報：三月.csv",
    "½ of it….csv": "½ of it….csv",
    "*.csv": "*.csv",
    "part-[0-9]?.parquet": "part-[0-9]?.parquet",
    "100%.csv": "100%.csv",
    "50% off.csv": "50% off.csv",
    "a~b.csv": "a~b.csv",
    "a/~b": "a/~b",
    "..a": "..a",
    "a..b/...c": "a..b/...c",
    "file.": "file.",
    "console.log": "console.log",
    "auxiliary.csv": "auxiliary.csv",
    "com10": "com10",
    "nullable.csv": "nullable.csv",
    "C/x": "C/x",
    "-rf": "-rf",
    "$HOME/x": "$HOME/x",
    "a" * 255: "a" * 255,
    "❤️.csv": "❤️.csv",
}


@pytest.mark.parametrize(("path", "leads_to"), ALLOWED.items(), ids=[repr(path)[:40] for path in ALLOWED])
def test_what_stays_inside_is_allowed_and_resolved(workspace: Path, path: str, leads_to: str) -> None:
    found = verdict(workspace, path)
    expected = os.path.join(os.path.realpath(workspace), leads_to).rstrip("/")
    assert (found.verdict, found.code, found.resolved) == (PathDecision.ALLOW, None, expected)


JOINED = [
    "می\u200cخواهم.txt",
    "گزارش\u200cها/نام\u200cها.csv",
    "क्\u200dष.txt",
    "ක්\u200dර.csv",
    "ന്\u200dറ.csv",
    "র\u200d্যাব.csv",
    "👨\u200d👩\u200d👧.png",
    "🏳️\u200d🌈.png",
    "❤️\u200d🔥.png",
    "👩🏽\u200d💻 report.csv",
]


@pytest.mark.parametrize("path", JOINED, ids=ascii)
def test_joiners_that_spelling_needs_are_part_of_a_name(workspace: Path, path: str) -> None:
    assert verdict(workspace, path).resolved == f"{os.path.realpath(workspace)}/{path}"


@pytest.mark.parametrize("joiner", ["\u200c", "\u200d"])
def test_a_protected_name_is_seen_through_joiners(joiner: str) -> None:
    assert all(is_protected(f".g{joiner}it"[:place] + joiner + f".g{joiner}it"[place:]) for place in range(6))


DENIED = [
    ("..", PathCode.OUTSIDE),
    ("../above.txt", PathCode.OUTSIDE),
    ("data/../../above.txt", PathCode.OUTSIDE),
    ("missing/../../above.txt", PathCode.OUTSIDE),
    ("../ws-evil/secret.txt", PathCode.OUTSIDE),
    ("../" * 50 + "etc/passwd", PathCode.OUTSIDE),
    ("/etc/passwd", PathCode.OUTSIDE),
    ("/", PathCode.OUTSIDE),
    ("inside-folder/../../above.txt", PathCode.OUTSIDE),
    ("out/secret.txt", PathCode.SYMLINK_ESCAPE),
    ("out", PathCode.SYMLINK_ESCAPE),
    ("out-absolute/secret.txt", PathCode.SYMLINK_ESCAPE),
    ("out-file", PathCode.SYMLINK_ESCAPE),
    ("out/../above.txt", PathCode.SYMLINK_ESCAPE),
    ("up/above.txt", PathCode.SYMLINK_ESCAPE),
    ("data/up/above.txt", PathCode.SYMLINK_ESCAPE),
    ("dangling-out", PathCode.SYMLINK_ESCAPE),
    ("chain/secret.txt", PathCode.SYMLINK_ESCAPE),
    ("etc/passwd", PathCode.SYMLINK_ESCAPE),
    ("dev", PathCode.SYMLINK_ESCAPE),
    ("loop", PathCode.SYMLINK_LOOP),
    ("ping/x", PathCode.SYMLINK_LOOP),
    ("innocent/config", PathCode.PROTECTED),
    (".git", PathCode.PROTECTED),
    (".git/config", PathCode.PROTECTED),
    (".git/../users.csv", PathCode.PROTECTED),
    ("sub/.git/hooks/pre-commit", PathCode.PROTECTED),
    (".GIT/config", PathCode.PROTECTED),
    (".Git", PathCode.PROTECTED),
    (".git ", PathCode.PROTECTED),
    (".git.", PathCode.PROTECTED),
    (".git . .", PathCode.PROTECTED),
    (".git::$INDEX_ALLOCATION/config", PathCode.PROTECTED),
    (".ｇｉｔ/config", PathCode.PROTECTED),
    (".gi\ufe0ft/config", PathCode.PROTECTED),
    ("git~1/config", PathCode.PROTECTED),
    ("GIT~2", PathCode.PROTECTED),
    (".dragoman/sessions.db", PathCode.PROTECTED),
    (".DRAGOMAN", PathCode.PROTECTED),
    ("DRAGOM~1/x", PathCode.PROTECTED),
    ("", PathCode.EMPTY),
    ("a\0b", PathCode.NUL),
    ("\0", PathCode.NUL),
    ("a\nb", PathCode.CONTROL),
    ("a\x7f", PathCode.CONTROL),
    ("a\x85b", PathCode.CONTROL),
    ("\x1b[31m", PathCode.CONTROL),
    ("a\ud800", PathCode.NOT_ENCODABLE),
    ("\udcff", PathCode.NOT_ENCODABLE),
    ("~", PathCode.HOME),
    ("~/x", PathCode.HOME),
    ("~root/x", PathCode.HOME),
    (" ~/x", PathCode.HOME),
    ("file:///etc/passwd", PathCode.SCHEME),
    ("file:x", PathCode.SCHEME),
    ("FILE:/etc/passwd", PathCode.SCHEME),
    ("http://example.org/x", PathCode.SCHEME),
    ("s3://bucket/key", PathCode.SCHEME),
    ("custom+x://y", PathCode.SCHEME),
    ("data:text/csv,a", PathCode.SCHEME),
    ("C:/x", PathCode.DRIVE),
    ("c:x", PathCode.DRIVE),
    ("C:\\x", PathCode.DRIVE),
    ("\\\\server\\share", PathCode.UNC),
    ("\\\\?\\C:\\x", PathCode.UNC),
    ("//server/share", PathCode.UNC),
    ("/\\server", PathCode.UNC),
    ("..\\x", PathCode.BACKSLASH),
    ("a\\b", PathCode.BACKSLASH),
    ("a.txt:stream", PathCode.STREAM),
    ("a.txt::$DATA", PathCode.STREAM),
    ("data/x:y", PathCode.STREAM),
    (":memory:", PathCode.STREAM),
    ("CON", PathCode.DEVICE),
    ("con", PathCode.DEVICE),
    ("nul.txt", PathCode.DEVICE),
    ("data/Aux.csv.gz", PathCode.DEVICE),
    ("PRN/x.csv", PathCode.DEVICE),
    ("com1", PathCode.DEVICE),
    ("LPT9.log", PathCode.DEVICE),
    ("COM¹", PathCode.DEVICE),
    ("lpt³.txt", PathCode.DEVICE),
    ("CONIN$", PathCode.DEVICE),
    ("conout$.x", PathCode.DEVICE),
    ("CLOCK$", PathCode.DEVICE),
    ("nul ", PathCode.DEVICE),
    ("nul .txt", PathCode.DEVICE),
    ("aux.", PathCode.DEVICE),
    ("ＣＯＮ", PathCode.DEVICE),
    (".. /x", PathCode.DOTS),
    ("...", PathCode.DOTS),
    (".../x", PathCode.DOTS),
    (". ./x", PathCode.DOTS),
    (".. .", PathCode.DOTS),
    (" ", PathCode.DOTS),
    ("．．/x", PathCode.UNICODE_FORM),
    ("．．／etc", PathCode.UNICODE_FORM),
    ("‥/x", PathCode.UNICODE_FORM),
    ("․․/x", PathCode.UNICODE_FORM),
    ("…/x", PathCode.UNICODE_FORM),
    ("a／b", PathCode.UNICODE_FORM),
    ("a∕b", PathCode.UNICODE_FORM),
    ("a⁄b", PathCode.UNICODE_FORM),
    ("a⧸b", PathCode.UNICODE_FORM),
    ("a＼b", PathCode.UNICODE_FORM),
    ("a﹨b", PathCode.UNICODE_FORM),
    ("a∖b", PathCode.UNICODE_FORM),
    ("℀", PathCode.UNICODE_FORM),
    ("Ｃ：/x", PathCode.UNICODE_FORM),
    ("～/x", PathCode.UNICODE_FORM),
    ("..\u00a0/x", PathCode.UNICODE_FORM),
    ("a\u200bb", PathCode.INVISIBLE),
    (".\u200d./x", PathCode.INVISIBLE),
    ("a\u200db", PathCode.INVISIBLE),
    ("a\u200cb", PathCode.INVISIBLE),
    ("я\u200dя", PathCode.INVISIBLE),
    ("می\u200c", PathCode.INVISIBLE),
    ("\u200cمی", PathCode.INVISIBLE),
    ("می\u200c.txt", PathCode.INVISIBLE),
    ("می\u200c/خواهم", PathCode.INVISIBLE),
    ("می\u200c\u200cخواهم", PathCode.INVISIBLE),
    ("می\u200ca", PathCode.INVISIBLE),
    ("می\u200bخواهم", PathCode.INVISIBLE),
    ("می\u202eخواهم", PathCode.INVISIBLE),
    ("क्\u200da", PathCode.INVISIBLE),
    ("👨\u200d", PathCode.INVISIBLE),
    ("\ufe0f\u200d.git", PathCode.INVISIBLE),
    (".git\u200d", PathCode.INVISIBLE),
    (".g\u200cit/config", PathCode.INVISIBLE),
    ("👨\u200c👩", PathCode.INVISIBLE),
    ("x\u202egnp.exe", PathCode.INVISIBLE),
    ("\ufeffa", PathCode.INVISIBLE),
    ("a\u00adb", PathCode.INVISIBLE),
    ("a\u2028b", PathCode.INVISIBLE),
    ("a\u3164b", PathCode.INVISIBLE),
    ("\U000e0041a", PathCode.INVISIBLE),
    ("%2e%2e/x", PathCode.PERCENT),
    ("%2E%2E%2Fx", PathCode.PERCENT),
    ("..%2fx", PathCode.PERCENT),
    ("a%5cb", PathCode.PERCENT),
    ("a%00.csv", PathCode.PERCENT),
    ("%252e%252e%252fx", PathCode.PERCENT),
    ("%25252e", PathCode.PERCENT),
    ("%%32%65%%32%65/x", PathCode.PERCENT),
    ("%c0%ae%c0%ae/x", PathCode.PERCENT),
    ("%c0%af", PathCode.PERCENT),
    ("%u002e%u002e/x", PathCode.PERCENT),
    ("%ef%bc%8fx", PathCode.PERCENT),
    ("%e2%88%95x", PathCode.PERCENT),
    ("%0a", PathCode.PERCENT),
    ("%" + "25" * 50 + "41", PathCode.PERCENT),
    ("a" * 256, PathCode.COMPONENT_TOO_LONG),
    ("д" * 128, PathCode.COMPONENT_TOO_LONG),
    ("a/" * 2049, PathCode.TOO_LONG),
    ("д/" * 2000, PathCode.TOO_LONG),
    ("x" * 10_000_000, PathCode.TOO_LONG),
]


@pytest.mark.parametrize(("path", "code"), DENIED, ids=[f"{repr(p)[:40]}-{c}" for p, c in DENIED])
def test_what_leads_elsewhere_is_denied_with_its_code(workspace: Path, path: str, code: PathCode) -> None:
    found = verdict(workspace, path)
    assert (found.verdict, found.code) == (PathDecision.DENY, code)


def test_absolute_paths_are_allowed_inside(workspace: Path) -> None:
    for path in (workspace, workspace / "data", workspace / "new" / "x.csv", workspace / "inside"):
        found = verdict(workspace, str(path))
        assert found.resolved == os.path.realpath(path)
    for path in (workspace.parent, workspace.parent / "ws-evil" / "x", workspace / ".." / "above.txt"):
        assert verdict(workspace, str(path)).code is PathCode.OUTSIDE
    assert verdict(workspace, str(workspace / "out" / "secret.txt")).code is PathCode.SYMLINK_ESCAPE
    assert verdict(workspace, str(workspace / ".git" / "x")).code is PathCode.PROTECTED


def test_a_neighbour_whose_name_begins_alike_is_outside(workspace: Path) -> None:
    assert verdict(workspace, f"{workspace}-evil/secret.txt").code is PathCode.OUTSIDE


def test_the_root_may_be_a_link(workspace: Path, tmp_path: Path) -> None:
    link = tmp_path / "link-to-ws"
    link.symlink_to(workspace)
    real = os.path.realpath(workspace)
    assert verdict(link, "data/a.csv").resolved == f"{real}/data/a.csv"
    assert verdict(link, str(link / "b.csv")).resolved == f"{real}/b.csv"
    assert verdict(link, str(workspace / "b.csv")).resolved == f"{real}/b.csv"
    assert verdict(workspace, str(link / "b.csv")).resolved == f"{real}/b.csv"
    assert verdict(link, "../above.txt").code is PathCode.OUTSIDE


def test_the_names_of_the_root_itself_are_the_operators(tmp_path: Path) -> None:
    root = tmp_path / ".dragoman" / "aux" / "a:b"
    root.mkdir(parents=True)
    assert verdict(root, "x.csv").resolved == f"{os.path.realpath(root)}/x.csv"
    assert verdict(root, str(root / "x.csv")).resolved == f"{os.path.realpath(root)}/x.csv"
    assert verdict(root, str(root / "aux")).code is PathCode.DEVICE
    assert verdict(root, str(root / ".git" / "x")).code is PathCode.PROTECTED


def test_a_root_that_does_not_exist_yet(tmp_path: Path) -> None:
    root = tmp_path / "not" / "yet"
    assert verdict(root, "a/b.csv").resolved == f"{os.path.realpath(tmp_path)}/not/yet/a/b.csv"
    assert verdict(root, "../b.csv").code is PathCode.OUTSIDE
    assert verdict(root, str(tmp_path / "NOT" / "YET" / "x")).code is PathCode.OUTSIDE


def test_a_relative_root_counts_from_the_working_directory(
    workspace: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(workspace.parent)
    real = os.path.realpath(workspace)
    for root in ("ws", "./ws", "ws/", "ws/data/..", "ws-evil/../ws"):
        assert verdict(root, "users.csv").resolved == f"{real}/users.csv"
    monkeypatch.chdir(workspace)
    assert verdict(".", "data/a.csv").resolved == f"{real}/data/a.csv"
    assert verdict(".", "../above.txt").code is PathCode.OUTSIDE


def test_the_root_of_everything(workspace: Path) -> None:
    assert verdict("/", str(workspace / "out" / "x")).resolved == f"{os.path.realpath(workspace)}-evil/x"
    assert verdict("/", "../../etc/x").resolved == "/etc/x"


@pytest.mark.parametrize("root", ["", "a\0b", "\ud800", "x" * 5000])
def test_a_root_that_is_none_denies(root: str) -> None:
    assert verdict(root, "a.csv").code is PathCode.ROOT_INVALID


def test_a_root_that_is_no_folder_denies(workspace: Path) -> None:
    for name in ("data/a.csv", "loop", "dev"):
        assert verdict(workspace / name, "x").code is PathCode.ROOT_INVALID


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="a working directory cannot be removed here")
def test_a_working_directory_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert verdict("ws", "x").code is PathCode.ROOT_INVALID


@pytest.mark.parametrize("value", [None, 5, b"x", ["x"], 1.5, Path("x")])
def test_what_is_no_text_is_denied(tmp_path: Path, value: object) -> None:
    assert judge_path(str(tmp_path), value).code is PathCode.NOT_TEXT  # type: ignore[arg-type]
    assert judge_path(value, "x").code is PathCode.ROOT_INVALID  # type: ignore[arg-type]


def test_a_class_derived_from_text_cannot_lie(tmp_path: Path) -> None:
    class Liar(str):
        def __str__(self) -> str:
            return "harmless.csv"

        def split(self, *_: object, **__: object) -> list[str]:
            return ["harmless.csv"]

        def startswith(self, *_: object) -> bool:
            return False

    assert judge_path(str(tmp_path), Liar("../x")).code is PathCode.OUTSIDE
    assert type(judge_path(str(tmp_path), Liar("x")).resolved) is str


def test_pipes_sockets_and_devices_are_denied(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo(workspace / "pipe")
    (workspace / "to-pipe").symlink_to("pipe")
    monkeypatch.chdir(workspace)
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind("socket")
        for path in ("pipe", "to-pipe", "socket", "data/../pipe"):
            assert verdict(workspace, path).code is PathCode.SPECIAL_FILE
    assert verdict("/dev", "null").code is PathCode.SPECIAL_FILE


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_cannot_be_looked_into_denies(workspace: Path) -> None:
    closed = workspace / "closed"
    (closed / "in").mkdir(parents=True)
    closed.chmod(0)
    try:
        assert verdict(workspace, "closed/in/x").code is PathCode.UNREADABLE
    finally:
        closed.chmod(0o700)


def test_another_spelling_of_the_root_counts_only_as_the_same_folder(tmp_path: Path) -> None:
    """On a file system that minds case WS is another folder."""
    (tmp_path / "ws").mkdir()
    (tmp_path / "WS").mkdir(exist_ok=True)
    same = os.path.samefile(tmp_path / "ws", tmp_path / "WS")
    found = verdict(tmp_path / "ws", str(tmp_path / "WS" / "x"))
    assert (found.verdict is PathDecision.ALLOW) is same


def test_forty_links_are_followed_and_more_are_a_loop(tmp_path: Path) -> None:
    (tmp_path / "link-0").symlink_to("end.csv")
    for number in range(1, 45):
        (tmp_path / f"link-{number}").symlink_to(f"link-{number - 1}")
    assert verdict(tmp_path, "link-39").resolved == f"{os.path.realpath(tmp_path)}/end.csv"
    assert verdict(tmp_path, "link-40").code is PathCode.SYMLINK_LOOP


def test_long_paths_are_judged_in_time(workspace: Path) -> None:
    start = time.process_time()
    for path in ("a/../" * 800 + "x", "inside-folder/../" * 39, "./" * 2000, "../" * 1300, "%" * 4000):
        verdict(workspace, path)
    for path in ("a" * 50_000_000, "%25" * 1300, "\u0301" * 2000, "a" + "\u0301" * 2000):
        verdict(workspace, path)
    assert time.process_time() - start < 5


def test_every_code_has_a_message_and_is_reached() -> None:
    reached = {code for _, code in DENIED}
    elsewhere = {PathCode.ROOT_INVALID, PathCode.NOT_TEXT, PathCode.UNREADABLE, PathCode.SPECIAL_FILE}
    assert reached | elsewhere == set(PathCode)


PIECES = st.sampled_from(
    (
        *(
            "..",
            ".",
            "",
            "data",
            "deep",
            "a.csv",
            "missing",
            "out",
            "up",
            "through",
            "inside-folder",
            "chain",
        ),
        *(
            "inside-absolute",
            "dangling-out",
            "dangling-in",
            "loop",
            "ws",
            "ws-evil",
            "innocent",
            ".git",
            "문서",
        ),
    )
)
ANY = st.one_of(PIECES, st.text(max_size=6), st.sampled_from(["．．", "%2e%2e", ".. ", "con", "a\u200b"]))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=400)
@given(
    parts=st.lists(ANY, max_size=8), absolute=st.sampled_from(["", "/", "ROOT/", "ROOT/../", "ROOT-evil/"])
)
def test_what_is_allowed_is_really_inside(workspace: Path, parts: list[str], absolute: str) -> None:
    path = absolute.replace("ROOT", str(workspace)) + "/".join(parts)
    found = verdict(workspace, path)
    if found.resolved is not None:
        real, root = os.path.realpath(os.path.join(workspace, path)), os.path.realpath(workspace)
        assert real == found.resolved
        assert real == root or real.startswith(root + "/")
        assert not any(is_protected(name) for name in real[len(root) :].split("/"))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=st.lists(PIECES, max_size=6))
def test_what_is_really_outside_is_denied_as_that(workspace: Path, parts: list[str]) -> None:
    """Over names that are all well spelled only the place decides."""
    path = "/".join(parts)
    real, root = os.path.realpath(os.path.join(workspace, path)), os.path.realpath(workspace)
    inside = real == root or real.startswith(root + "/")
    protected = any(is_protected(name) for name in [*parts, *real[len(root) :].split("/")])
    if path and not path.startswith("//") and "loop" not in parts and not protected:
        assert (verdict(workspace, path).verdict is PathDecision.ALLOW) is inside


@given(st.text(), st.text())
def test_any_text_gets_a_verdict(root: str, path: str) -> None:
    verdict(root, path)

"""No secret in a program, an event, a log, an error or an answer: pasted anywhere, it is found nowhere."""

import json
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner

from dragoman.cli.application import dragoman as application
from dragoman.cli.failures import as_object, tell
from dragoman.contracts import events as ev
from dragoman.contracts.errors import IdempotencyKeyReused, StoreUnavailable
from dragoman.contracts.program import Diagnostic
from dragoman.contracts.vocabulary import AnswerMode, CarryoverDepth, Notation, TransitionClass
from dragoman.language.compiler import CompilerStage
from dragoman.language.source import Source, show
from dragoman.session.log import SessionLog
from dragoman.workspace import Workspace
from dragoman.workspace.programs import Programs

SECRET = "Tr0ub4dor-and-3"
MESSAGES = [
    f"stock of Alfa Trade on 31 March 2020 password={SECRET}",
    f"connect to mysql://root:{SECRET}@db/shop and show the stock",
    f"my password is {SECRET}",
    f"PGPASSWORD={SECRET} psql",
    f'{{"password": "{SECRET}"}}',
    f"stock of Alfa Trade\npassword:\n{SECRET}",
    f"the password for admin is '{SECRET}'",
    f"비밀번호는 {SECRET} 입니다",
    f"pass\u200bword%3D{SECRET}",
    f'{{"key":"password","value":"{SECRET}"}}',
    SECRET.join(("what does password='", "' mean")),
]


def run(*arguments: str, stdin: str | None = None) -> Any:
    return CliRunner().invoke(application, arguments, input=stdin)


@pytest.mark.parametrize("message", MESSAGES)
def test_a_secret_in_a_message_is_nowhere(message: str, tmp_path: Path) -> None:
    place = ("--workspace", str(tmp_path))
    asked = run("ask", message, "--json", *place)
    assert asked.exit_code == 0
    session = json.loads(asked.stdout)["session_id"]
    shown = [
        asked,
        run("ask", message, "-c", *place),
        run("sessions", "list", *place),
        run("sessions", "show", session, *place),
        run("sessions", "show", session, "--json", *place),
        run("sessions", "export", session, *place),
        run("why", session, "1", *place),
        run("why", session, "1", "--json", *place),
        run("replay", session, *place),
    ]
    for done in shown:
        assert done.exit_code == 0
        assert SECRET not in done.output
    written = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert any(file.suffix == ".jsonl" for file in written)
    assert any(file.name.startswith("sessions.sqlite") for file in written)
    for file in written:
        assert SECRET.encode() not in file.read_bytes(), file


def test_a_repeated_message_with_a_secret_is_the_same_turn(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        first = workspace.ask(session, MESSAGES[0], client_key="k")
        again = workspace.ask(session, MESSAGES[0], client_key="k")
        assert (again.turn, again.repeated) == (first.turn, True)
        with pytest.raises(IdempotencyKeyReused):
            workspace.ask(session, "stock of Alfa Trade", client_key="k")


def test_a_title_is_scrubbed_before_it_is_cut(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session(title="x" * 60 + f" mysql://root:{SECRET}@db")
        title = workspace.session(session).title
        assert SECRET[:6] not in title
        assert "mysql://root:…@db" in title


def test_an_ordinary_message_is_recorded_as_it_is(tmp_path: Path) -> None:
    message = "stock of Alfa Trade on 31 March 2020: the key customers, pass 2"
    with Workspace.open(tmp_path) as workspace:
        session = workspace.new_session()
        workspace.ask(session, message)
        opened = workspace.turn_events(session, 1)[0]
        assert isinstance(opened, ev.TurnOpened)
        assert opened.message == message


def test_the_log_writes_no_secret_whoever_said_it(tmp_path: Path) -> None:
    log = SessionLog(tmp_path)
    said = f"the database said: cannot connect to mysql://root:{SECRET}@db"
    closed = ev.TurnClosed(TransitionClass.T0, CarryoverDepth.NONE, AnswerMode.NONE, said)
    log.write("a", 1, "b", [closed])
    line = json.loads(log.path("a").read_text(encoding="utf-8"))
    assert line["event"]["message"] == "the database said: cannot connect to mysql://root:…@db"


def test_an_error_shows_no_secret(capsys: pytest.CaptureFixture[str]) -> None:
    error = StoreUnavailable(
        f"cannot connect: password={SECRET}", hint=f"try postgresql://u:{SECRET}@db", password=SECRET
    )
    tell(error, as_json=False)
    tell(error, as_json=True)
    said = capsys.readouterr()
    assert SECRET not in said.out + said.err
    assert SECRET not in json.dumps(as_object(error))
    assert "cannot connect: password=…" in said.err


def test_wrong_usage_does_not_repeat_what_was_given(tmp_path: Path) -> None:
    program = tmp_path / "a.verbs"
    program.write_text("(a.b)")
    for given in (f"={SECRET}", SECRET, f"password {SECRET}"):
        ran = run("compile", str(program), "--param", given)
        assert ran.exit_code == 2
        assert SECRET not in ran.output


def test_a_usage_error_is_scrubbed(capsys: pytest.CaptureFixture[str]) -> None:
    from dragoman.cli.failures import run_guarded

    @click.command()
    @click.argument("level", type=click.Choice(["a", "b"]))
    def command(level: str) -> None:
        """Takes a choice."""

    assert run_guarded(command, [f"mysql://root:{SECRET}@db"]) == 2
    said = capsys.readouterr()
    assert SECRET not in said.out + said.err
    assert "mysql://root:…@db" in said.err


def test_a_patch_that_does_not_fit_quotes_no_secret(tmp_path: Path) -> None:
    (tmp_path / "a").write_text(f"url: mysql://root:{SECRET}@db\n")
    patch = f"--- a/a\n+++ b/a\n@@ -1 +1 @@\n-password = '{SECRET}'\n+x\n"
    for arguments in (("--json",), ()):
        ran = run("patch", "apply", "-", "--root", str(tmp_path), *arguments, stdin=patch)
        assert ran.exit_code == 1
        assert SECRET not in ran.output
        assert "does not fit" in ran.output


def test_a_line_of_a_private_key_is_not_shown() -> None:
    key = (
        "-----BEGIN PRIVATE KEY-----\n"
        + f"{SECRET.replace('-', 'x')}abcdef\n" * 3
        + "-----END PRIVATE KEY-----\n"
    )
    source = Source(f"a: |\n{key}")
    start = source.text.index("abcdef")
    shown = show(source, Diagnostic("x", "wrong", span=source.span(start, start + 3)))
    assert "abcdef" not in shown


OML = (
    'oml_version: "0.1.0"\nname: x\nparams: {NAME: {type: TYPE, default: VALUE}}\nsteps:\n'
    "  - {id: a, component: mysql.extractor, mode: read, config: {connection: '@shop', query: SELECT 1}}\n"
)
VERBS = '(oml.pipeline :name "x" :params {:NAME {:type "TYPE" :default VALUE}})\n(a.b :x 1)'


@pytest.mark.parametrize(
    ("name", "kind", "value", "found"),
    [
        ("password", "string", '"hunter2"', True),
        ("db_pass", "string", '"hunter2"', True),
        ("api-key", "string", '"9f8a7b6c5d4e3f2a"', True),
        ("password", "int", "90210", True),
        ("password", "string", '"${DB_PASSWORD}"', False),
        ("password-column", "string", '"hunter2"', False),
        ("region", "string", '"north1"', False),
        ("token-count", "int", "90210", False),
    ],
)
@pytest.mark.parametrize(("template", "notation"), [(OML, Notation.OML), (VERBS, Notation.VERBS)])
def test_the_default_of_a_parameter_stands_under_its_name(
    template: str, notation: Notation, name: str, kind: str, value: str, found: bool
) -> None:
    text = template.replace("NAME", name).replace("TYPE", kind).replace("VALUE", value)
    done = Programs().check(Source(text), notation, CompilerStage.SYNTAX)
    codes = [finding.code for finding in done.diagnostics]
    assert codes == (["secret_in_program"] if found else [])
    if found:
        span = done.diagnostics[0].span
        assert span is not None
        assert text[span.start : span.end] == value
        assert value.strip('"') not in show(Source(text), done.diagnostics[0])


@pytest.mark.parametrize(
    ("text", "notation"),
    [
        ("(a.b :password 90210)", Notation.VERBS),
        ("(a.b :options {:pin 1 :pass 90210})", Notation.VERBS),
        (
            OML.replace("NAME: {type: TYPE, default: VALUE}", "").replace(
                "query: SELECT 1", "password: 90210"
            ),
            Notation.OML,
        ),
    ],
)
def test_a_number_may_be_a_password(text: str, notation: Notation) -> None:
    done = Programs().check(Source(text), notation, CompilerStage.SYNTAX)
    assert [finding.code for finding in done.diagnostics] == ["secret_in_program"]

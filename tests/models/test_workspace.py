"""The models of a workspace folder: opened when somebody asks, and shown by a command."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from dragoman import Workspace
from dragoman.cli.application import dragoman as application
from dragoman.contracts.model import Message, ModelRequest, Speaker
from dragoman.workspace.language_models import LanguageModels
from tests.model_server import ModelServer, says, status
from tests.models.ground import LONG, REQUEST
from tests.test_cold_start import heavy_of, modules_after

KEY: Final = "q7w8-plain-words-as-a-key"
CLIENT: Final = {"httpx", "httpcore", "h11", "anyio", "dragoman.models", "dragoman.models.models"}


def configure(folder: Path, server: ModelServer, *, key: str = "${MODEL_KEY}", more: str = "") -> None:
    folder.mkdir(exist_ok=True)
    (folder / "dragoman.yaml").write_text(
        f"models: {{{more}providers: [{{name: own, kind: openai, base_url: '{server.url}/v1', model: small,"
        f" key: '{key}', retries: 0}}]}}\n"
    )


def run(folder: Path, *arguments: str) -> Any:
    return CliRunner(env={"MODEL_KEY": KEY}).invoke(application, [*arguments, "-w", str(folder)])


def test_without_models_nothing_is_asked_and_nothing_loaded(tmp_path: Path) -> None:
    with Workspace.open(tmp_path) as workspace:
        assert workspace.language_models.models is None
    assert not modules_after(tmp_path, "models") & CLIENT


def test_models_that_are_configured_are_not_loaded_before_they_are_asked(tmp_path: Path) -> None:
    (tmp_path / "dragoman.yaml").write_text(
        "models: {providers: [{name: own, kind: openai, base_url: 'https://api.example.org/v1', model: m}]}\n"
    )
    loaded = modules_after(tmp_path, "sessions", "list")
    assert not loaded & CLIENT
    assert heavy_of(loaded) == frozenset()


def test_a_workspace_opens_its_models_once_and_keeps_their_totals(tmp_path: Path) -> None:
    with ModelServer(says("a program")) as server:
        configure(tmp_path, server, key="")
        (tmp_path / "connections.yaml").write_text("# none\n")
        with Workspace.open(tmp_path) as workspace:
            models = workspace.language_models.models
            assert models is not None
            assert models.turn().complete(REQUEST, deadline_seconds=LONG).text == "a program"
            again = workspace.language_models.models
            assert again is models
            assert models.totals["own"].requests == 1


def test_what_the_variables_of_connections_hold_never_leaves(tmp_path: Path) -> None:
    held = {"SHOP_PASSWORD": "plain words here", "WHOLE_URL": "postgres://ann:another@db/shop"}
    with ModelServer(says("x")) as server:
        configure(tmp_path, server)
        (tmp_path / "connections.yaml").write_text(
            "shop: {url: 'postgres://ann:${SHOP_PASSWORD}@db/shop'}\nother: {url: '${WHOLE_URL}'}\n"
        )
        models = LanguageModels(tmp_path, {"MODEL_KEY": KEY, **held}).models
        assert models is not None
        text = f"Our word is plain words here, and {held['WHOLE_URL']} is where it is; {KEY} too."
        models.turn().complete(ModelRequest((Message(Speaker.USER, text),)), deadline_seconds=LONG)
        [request] = server.requests
    for secret in (*held.values(), "another", KEY):
        assert secret.encode() not in request.raw
    assert b"Our word is" in request.raw


def test_the_command_lists_and_checks(tmp_path: Path) -> None:
    with ModelServer(says("yes")) as server:
        configure(tmp_path, server, more="send_values: false, ")
        listed = run(tmp_path, "models")
        assert listed.exit_code == 0
        assert f"own  openai  small  {server.url}/v1\n" in listed.output
        assert "asked when Dragoman is not sure; no values of rows are sent" in listed.output
        assert server.requests == []
        checked = run(tmp_path, "models", "--check")
        assert checked.exit_code == 0
        assert "own  answers in " in checked.output
        assert "18 tokens: yes" in checked.output
        server.plays(status(401, message=f"bad key {KEY}"))
        failed = run(tmp_path, "models", "--check", "--json")
        assert failed.exit_code == 1
        [answer] = json.loads(failed.output)["answers"]
        assert answer["code"] == "model_refused"
        for shown in (listed, checked, failed):
            assert KEY not in shown.output


def test_a_missing_key_is_told_before_anybody_is_asked(tmp_path: Path) -> None:
    with ModelServer(says("yes")) as server:
        configure(tmp_path, server, key="${NO_SUCH_KEY}")
        listed = run(tmp_path, "models")
        assert "NO_SUCH_KEY, which is not set" in listed.output
        assert run(tmp_path, "models", "--check").exit_code == 1
        assert server.requests == []


def test_mistakes_are_told_by_the_command(tmp_path: Path) -> None:
    (tmp_path / "dragoman.yaml").write_text("models: {providers: [{name: a}]}\n")
    ran = subprocess.run(
        [sys.executable, "-m", "dragoman.cli", "models", "-w", str(tmp_path)],
        capture_output=True,
        text=True,
        env={**os.environ},
        check=False,
    )
    assert ran.returncode == 1
    assert "the key 'kind' is missing" in ran.stderr


def test_no_proxy_of_the_environment_is_told_anything(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with ModelServer(says("x")) as proxy, ModelServer(says("yes")) as server:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
            monkeypatch.setenv(name, proxy.url)
        configure(tmp_path, server)
        assert run(tmp_path, "models", "--check").exit_code == 0
        assert proxy.requests == []

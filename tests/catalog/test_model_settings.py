"""`models` in dragoman.yaml: what is read, and what is said of mistakes."""

from decimal import Decimal
from pathlib import Path

import pytest

from dragoman.catalog.settings import read_settings
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.model_settings import (
    ModelsSettings,
    ModelUse,
    ProviderKind,
    ProviderSettings,
    SchemaMode,
)

WHOLE = """\
version: 1
models:
  when: always
  send_values: false
  turn_tokens: 20000
  turn_cost: 0.25
  providers:
    - name: first
      kind: anthropic
      base_url: https://api.example.org
      model: large-1
      key: ${FIRST_KEY}
      price_in: 3
      price_out: 15.5
      deadline_seconds: 20
      max_output_tokens: 1500
      retries: 0
    - {name: own, kind: openai, base_url: "http://127.0.0.1:8080/v1", model: small,
       send_values: true, schema: none, price_in: 0, price_out: 0}
"""
ONE = "models: {providers: [{name: a, kind: openai, base_url: 'https://api.example.org/v1', model: m%s}]}\n"
SECRET = "q7w8-plain-words"


def read(folder: Path, text: str) -> ModelsSettings | None:
    (folder / "dragoman.yaml").write_text(text)
    return read_settings(folder).models


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(WorkspaceError) as caught:
        read(folder, text)
    return f"{caught.value.message}\n{caught.value.hint}"


def test_everything_that_may_be_said(tmp_path: Path) -> None:
    assert read(tmp_path, WHOLE) == ModelsSettings(
        providers=(
            ProviderSettings(
                name="first",
                kind=ProviderKind.ANTHROPIC,
                base_url="https://api.example.org",
                model="large-1",
                key="${FIRST_KEY}",
                price_in=Decimal(3),
                price_out=Decimal("15.5"),
                deadline_seconds=20,
                max_output_tokens=1500,
                retries=0,
            ),
            ProviderSettings(
                name="own",
                kind=ProviderKind.OPENAI,
                base_url="http://127.0.0.1:8080/v1",
                model="small",
                send_values=True,
                schema=SchemaMode.NONE,
                price_in=Decimal(0),
                price_out=Decimal(0),
            ),
        ),
        when=ModelUse.ALWAYS,
        send_values=False,
        turn_tokens=20_000,
        turn_cost=Decimal("0.25"),
    )


def test_without_a_word_of_models_there_are_none(tmp_path: Path) -> None:
    assert read(tmp_path, "version: 1\n") is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models: {}\n", "the key 'providers' is missing"),
        ("models: {providers: []}\n", "1 to 16 providers"),
        ("models: {providers: [{name: a}]}\n", "the key 'kind' is missing"),
        (ONE % ", kinds: x", "did you mean kind?"),
        (ONE % ", price_in: cheap", "a number such as 0.25"),
        (ONE % ", price_in: -1", "a number such as 0.25"),
        (ONE % ", price_in: '3'", "a number such as 0.25"),
        (ONE % ", price_in: 1", "price_out is missing"),
        (ONE.replace("models: {", "models: {turn_cost: 1, ") % "", "needs the prices of every provider"),
        (ONE % ", retries: 99", "from 0 to 10"),
        (ONE % ", schema: strict", "one of schema, object, none"),
        ((ONE % "").replace("openai", "gopher"), "one of openai, anthropic"),
        ((ONE % "").replace("name: a", "name: 'a b'"), "no name of a provider"),
        ((ONE % "").replace("https://api.example.org/v1", "api.example.org"), "is no address"),
        (
            (ONE % "").replace("https://api.example.org/v1", "https://169.254.169.254/"),
            "no connection may reach",
        ),
        ((ONE % "").replace("https://api", "https://ann:pw@api"), "written in the address"),
        ((ONE % "").replace("/v1", "/v1?key=1"), "ends with its path"),
        ((ONE % "").replace("https:", "http:"), "allow_http: true"),
        ((ONE % "").replace("https://api", "https://${HOST:-api}"), "is no variable"),
        (
            ONE.replace("]}", ", {name: a, kind: openai, base_url: 'https://x.org', model: m}]}") % "",
            "two providers",
        ),
    ],
)
def test_a_mistake_is_shown_where_it_stands(tmp_path: Path, text: str, said: str) -> None:
    found = refusal(tmp_path, text)
    assert said in found
    assert "dragoman.yaml:1:" in found


@pytest.mark.parametrize(
    "text",
    [
        ONE % f", key: {SECRET}",
        ONE % f", key: '{SECRET}', retries: many",
        ONE % f", key: '${{VAR}}{SECRET}'",
        ONE % f", key: '${{VAR:-{SECRET}}}'",
    ],
)
def test_a_written_key_is_refused_and_not_shown(tmp_path: Path, text: str) -> None:
    found = refusal(tmp_path, text)
    assert "literal_secret" in found
    assert SECRET not in found


@pytest.mark.parametrize(
    "address", ["http://localhost:1/v1", "http://127.0.0.1:1", "http://[::1]:1", "${URL}"]
)
def test_this_machine_and_variables_are_addresses(tmp_path: Path, address: str) -> None:
    models = read(tmp_path, (ONE % "").replace("https://api.example.org/v1", address))
    assert models is not None
    assert models.providers[0].base_url == address


def test_http_to_another_machine_may_be_allowed(tmp_path: Path) -> None:
    assert read(tmp_path, (ONE % ", allow_http: true").replace("https:", "http:")) is not None

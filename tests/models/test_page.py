"""docs/models.md says what the code does: its settings, its codes and its examples."""

import re
from pathlib import Path
from typing import Final

import msgspec

from dragoman.catalog.settings import read_settings
from dragoman.contracts import errors
from dragoman.contracts.errors import ModelError, ModelReplyTruncated
from dragoman.contracts.model_settings import ModelsSettings, ProviderSettings
from dragoman.models import accounts, provider
from dragoman.models.patience import FIRST_SECONDS, is_worth_a_retry
from tools.checkout import ROOT

PAGE: Final = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
EXAMPLES: Final = dict(re.findall(r"^```(yaml|python)\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL))


def table(title: str) -> list[list[str]]:
    """The rows of the table whose head begins so."""
    rows = PAGE.partition(f"| {title} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in row.split("|")[1:-1]] for row in rows]


def names(title: str) -> list[str]:
    return [name for row in table(title) for name in re.findall(r"`(\w+)`", row[0])]


def test_every_setting_is_on_the_page_once() -> None:
    assert sorted(names("of `models`")) == sorted(ModelsSettings.__struct_fields__)
    assert sorted(names("of a provider")) == sorted(ProviderSettings.__struct_fields__)


def test_the_defaults_are_those_of_the_code() -> None:
    defaults = {field.name: field.default for field in msgspec.structs.fields(ProviderSettings)}
    for row in table("of a provider"):
        said = row[1].strip("`")
        if said and said not in ("none", "unknown", "as above"):
            [name] = re.findall(r"`(\w+)`", row[0])
            assert said == str(defaults[name]).lower()


def test_every_code_is_on_the_page_once_with_what_is_done_about_it() -> None:
    kinds = [
        each for each in vars(errors).values() if isinstance(each, type) and issubclass(each, ModelError)
    ]
    by_code = {kind.code: kind for kind in kinds if kind is not ModelError}
    said = {row[0].strip("`"): row[2] for row in table("code")}
    assert said.keys() == by_code.keys()
    for code, kind in by_code.items():
        if kind is not ModelReplyTruncated:
            assert said[code] == ("yes" if is_worth_a_retry(kind("x")) else "no"), code
    assert is_worth_a_retry(ModelReplyTruncated("x", cause="connection"))
    assert not is_worth_a_retry(ModelReplyTruncated("x", cause="length"))


def test_the_figures_are_those_of_the_code() -> None:
    assert (provider._LEAST_BYTES, provider._BYTES_PER_TOKEN) == (1_000_000, 1_000)
    assert FIRST_SECONDS == 0.5
    assert accounts._LEAST_OUTPUT == 100


def test_the_example_of_settings_is_read(tmp_path: Path) -> None:
    (tmp_path / "dragoman.yaml").write_text(EXAMPLES["yaml"])
    models = read_settings(tmp_path).models
    assert models is not None
    assert [each.name for each in models.providers] == ["main", "own"]

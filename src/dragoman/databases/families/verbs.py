"""The verbs of a family in pipelines, read from the verbs.yaml beside its record."""

from collections.abc import Callable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from dragoman.contracts.decoding import converted
from dragoman.contracts.verb import VerbSignature

FILE = "verbs.yaml"
_FORM = "form"


def verbs_beside(package: str | None) -> Callable[[], Mapping[str, VerbSignature]]:
    """Reads the signatures in a package's verbs.yaml, once, when they are asked for."""

    @cache
    def read() -> Mapping[str, VerbSignature]:
        entries = _table(package or "", FILE)
        return {name: _signature(name, entry) for name, entry in entries.items()}

    return read


def _signature(name: str, entry: dict[str, Any]) -> VerbSignature:
    form = _forms()[entry[_FORM]] if _FORM in entry else {}
    own = {key: value for key, value in entry.items() if key != _FORM}
    domain = name.partition(".")[0]
    return converted({**form, **own, "name": name, "domain": domain}, VerbSignature)


@cache
def _forms() -> dict[str, dict[str, Any]]:
    forms: dict[str, dict[str, Any]] = _table("dragoman.databases.families", "verb_forms.yaml")["forms"]
    return forms


def _table(package: str, name: str) -> dict[str, Any]:
    import yaml

    text = files(package).joinpath(name).read_text(encoding="utf-8")
    table: dict[str, Any] = yaml.load(text, Loader=yaml.CSafeLoader)
    return table

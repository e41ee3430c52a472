"""The engine's components as verbs, read from data that ships with the package."""

from functools import cache
from importlib.resources import files
from typing import Any

import msgspec
import yaml

from dragoman.contracts.verb import VerbSignature


@cache
def component_signatures() -> dict[str, VerbSignature]:
    text = files("dragoman.catalog").joinpath("components.yaml").read_text(encoding="utf-8")
    entries = yaml.load(text, Loader=yaml.CSafeLoader)["verbs"]
    return {name: _signature(name, entry) for name, entry in entries.items()}


def _signature(name: str, entry: dict[str, Any]) -> VerbSignature:
    return msgspec.convert({**entry, "name": name, "domain": name.partition(".")[0]}, type=VerbSignature)

"""The tables that ship with the package, read when they are first needed."""

from importlib.resources import files
from typing import Any

import yaml


def table(name: str) -> Any:
    text = files("dragoman.entities").joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    return yaml.load(text, Loader=yaml.CSafeLoader)

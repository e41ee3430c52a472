"""The words the finder knows, read once when the first of them is asked for."""

from functools import cache
from importlib.resources import files


@cache
def words(entry: str) -> frozenset[str]:
    return _vocabulary()[entry]


@cache
def _vocabulary() -> dict[str, frozenset[str]]:
    import yaml

    text = files("dragoman.guards.secrets").joinpath("words.yaml").read_text(encoding="utf-8")
    entries: dict[str, str] = yaml.load(text, Loader=yaml.CSafeLoader)
    return {name: frozenset(listed.split()) for name, listed in entries.items()}

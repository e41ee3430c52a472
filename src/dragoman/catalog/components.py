"""Components as verbs: the engine's own, read from data that ships with the package, and those of others."""

from functools import cache
from importlib.metadata import entry_points
from importlib.resources import files
from typing import Any

import msgspec
import yaml

from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.verb import VerbSignature

COMPONENTS = "dragoman.components"
"""The group of entry points under which other packages offer components, each by the name of its verb."""


@cache
def component_signatures() -> dict[str, VerbSignature]:
    text = files("dragoman.catalog").joinpath("components.yaml").read_text(encoding="utf-8")
    entries = yaml.load(text, Loader=yaml.CSafeLoader)["verbs"]
    return {name: _signature(name, entry) for name, entry in entries.items()}


@cache
def offered_signatures() -> dict[str, VerbSignature]:
    """The signatures of the components that other packages offer. Each is imported to be asked."""
    found = {}
    for point in entry_points(group=COMPONENTS):
        try:
            signature = getattr(point.load(), "signature", None)
        except (ImportError, AttributeError) as error:
            raise WorkspaceError(
                f"the component {point.name} of another package cannot be loaded: {error}",
                hint=f"mend or remove the package that offers {point.value}",
            ) from error
        # A component that calls itself something else than its entry point could take another verb's place.
        if isinstance(signature, VerbSignature) and signature.name == point.name:
            found[point.name] = signature
    return found


def _signature(name: str, entry: dict[str, Any]) -> VerbSignature:
    return msgspec.convert({**entry, "name": name, "domain": name.partition(".")[0]}, type=VerbSignature)

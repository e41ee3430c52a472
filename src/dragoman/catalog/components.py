"""Components as verbs: those of the families, and those that other packages offer by themselves."""

from functools import cache
from importlib import import_module

from msgspec.structs import replace

from dragoman._offers import offers
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.family import Family
from dragoman.contracts.verb import VerbSignature
from dragoman.databases.families.registry import outside_families, own_families

COMPONENTS = "dragoman.components"
"""The group of entry points under which other packages offer components, each by the name of its verb."""


@cache
def component_signatures() -> dict[str, VerbSignature]:
    """The verbs of our own families."""
    return {name: found for family in own_families() for name, found in _signatures_of(family).items()}


def offered_signatures() -> dict[str, VerbSignature]:
    """The verbs of other packages' families and components. Each component is imported to be asked."""
    found = dict(lone_components())
    for family in outside_families():
        found.update(_signatures_of(family))
    return found


def component_signature(verb: str) -> VerbSignature | None:
    """What a program may say to a component, whoever brought it; None for every other verb."""
    return component_signatures().get(verb) or offered_signatures().get(verb)


@cache
def _signatures_of(family: Family) -> dict[str, VerbSignature]:
    """What a family writes down of its verbs, or else its components say of themselves."""
    written = family.signatures()
    found = {}
    for verb, place in family.components:
        known = written.get(verb) or _asked(verb, place)
        found[verb] = replace(known, dialect=family.dialect)
    return found


def _asked(verb: str, place: str) -> VerbSignature:
    module, _, name = place.partition(":")
    try:
        signature = getattr(getattr(import_module(module), name), "signature", None)
    except (ImportError, AttributeError) as error:
        raise WorkspaceError(
            f"the component {verb} cannot be loaded: {error}", hint=f"mend or remove what offers {place}"
        ) from error
    if not isinstance(signature, VerbSignature) or signature.name != verb:
        raise WorkspaceError(f"{place} has no signature of {verb}", hint="see docs/extending.md")
    return signature


@cache
def lone_components() -> dict[str, VerbSignature]:
    """The verbs of components that belong to no family."""
    found = {}
    for point in offers(COMPONENTS):
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

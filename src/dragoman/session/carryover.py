"""How deep a turn may reach into what came before, as an order one can compute with."""

from dragoman.contracts.vocabulary import CarryoverDepth, Origin

_OWN = frozenset({Origin.MESSAGE, Origin.SESSION_SCOPE})

ORIGINS: dict[CarryoverDepth, frozenset[Origin]] = {
    CarryoverDepth.NONE: _OWN,
    CarryoverDepth.ROOT_ONLY: _OWN | {Origin.ROOT_FRAME},
    CarryoverDepth.OBJECT_ONLY: _OWN | {Origin.OBJECT_FRAME},
    CarryoverDepth.META_ONLY: _OWN | {Origin.ANSWER},
    CarryoverDepth.FULL: frozenset(Origin),
}
"""Where the arguments of a turn may come from, for each depth."""


def narrower(one: CarryoverDepth, other: CarryoverDepth) -> CarryoverDepth:
    """The narrower of two depths; two that do not compare leave nothing to carry."""
    if one is other or other is CarryoverDepth.FULL:
        return one
    if one is CarryoverDepth.FULL:
        return other
    return CarryoverDepth.NONE

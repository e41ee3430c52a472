"""The action of before, asked of another object: the same for Horizon."""

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.reading.reading import MentionKind, Reading
from dragoman.session.continuity import Continuity


def with_repeated_action(reading: Reading, continuity: Continuity, catalog: Catalog) -> Reading:
    """The reading with what was looked up of the object in hand last, where the same is wanted of one that is
    named. An object that is only named is opened."""
    selected, last = continuity.selected_object, continuity.last_found
    if selected is None or last is None or not reading.of_kind(MentionKind.CARRY):
        return reading
    other = reading.verbs or reading.actions or reading.periods or reading.uncovered or reading.picks
    if other or reading.phrase is not None or reading.meta is not None or len(reading.objects) != 1:
        return reading
    verb = catalog.actions.get(last.route)
    kinds = {ref.kind for ref in reading.objects[0]}
    if verb is None or verb.spec.object != selected.focus_object_kind or kinds != {verb.spec.object}:
        return reading
    return replace(reading, actions=(last.route,))

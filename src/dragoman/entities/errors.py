"""What can be wrong with an entity index or with the rows it is made of."""

from dragoman.contracts.errors import DragomanError


class EntityIndexError(DragomanError):
    """An entity index cannot be used as it is."""

    code = "entity_index_error"
    exit_code = 4


class EntityIndexMissing(EntityIndexError):
    """There is no index in the folder; it has to be built first."""

    code = "entity_index_missing"


class EntityIndexDamaged(EntityIndexError):
    """Files of the index are gone, cut short or not what was written. Building it again mends it."""

    code = "entity_index_damaged"


class EntityIndexNewer(EntityIndexError):
    """The index was written by a newer Dragoman."""

    code = "entity_index_newer"


class EntityIndexUnwritable(EntityIndexError):
    """The folder of the index cannot be written: no space, no permission, not a folder."""

    code = "entity_index_unwritable"


class EntityRowRefused(DragomanError):
    """A row without a key that can be written down cannot be indexed."""

    code = "entity_row_refused"


class EntityFilterUnknown(DragomanError):
    """A filter that the entity type does not declare. `known` says which ones it does."""

    code = "entity_filter_unknown"

"""Values that are nouns: clerks are the staff whose job title is clerk."""

from functools import cached_property

from msgspec.structs import replace

from dragoman.planning.database.column_facts import Role
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.segments import Piece, Segment
from dragoman.planning.tables.name_linker import Named
from dragoman.planning.tables.schema_names import Thing

_MOST_KINDS = 40
_EXACT = 0.9


class KindSegments:
    """Knows which values of a database say of which kind rows are."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge

    def with_rows(self, segment: Segment) -> Segment:
        """A value with the tables of the rows that are of the kind that it says."""
        if segment.piece is not Piece.VALUE or not self._kinds:
            return segment
        tables = {
            each.thing.table.key: each
            for each in reversed(segment.values)
            if each.thing.number in self._kinds and each.score >= _EXACT and not each.inside
        }
        rows = tuple(
            Named(segment.start, segment.end, self._knowledge.things.table_thing[key], each.score)
            for key, each in tables.items()
        )
        return replace(segment, rows=rows) if rows else segment

    @cached_property
    def _kinds(self) -> frozenset[int]:
        """The columns that say of which kind rows with a name are."""
        every = self._knowledge.things.all
        return frozenset(each.number for each in every if each.column is not None and self._is_kind(each))

    def _is_kind(self, thing: Thing) -> bool:
        known, column = self._knowledge, thing.column
        few = column is not None and column.info.distinct is not None and column.info.distinct <= _MOST_KINDS
        category = few and thing.is_text and known.role(thing) is Role.CATEGORY
        return category and known.has_name(thing.table) and thing not in known.labels(thing.table)

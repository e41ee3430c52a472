"""What a message about a row stands on: the rows that were shown, the row in hand, the schema."""

from msgspec.structs import replace

from dragoman.catalog.catalog import Catalog
from dragoman.planning.contract import Asked, Proposal
from dragoman.planning.database.knowledge import Knowledge
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.database_planner import DatabasePlanner
from dragoman.planning.rows.object_question import ObjectQuestion
from dragoman.planning.rows.row_links import belongs_to
from dragoman.planning.rows.row_object import RowObject, row_of
from dragoman.planning.rows.row_proposals import MOST_ROWS
from dragoman.planning.rows.row_words import Said
from dragoman.planning.rows.shown_rows import Shown, keyed, named, shown_rows
from dragoman.tables.graph import Graph


class Ground:
    """One message, with what the session and the database hold for it."""

    def __init__(self, asked: Asked, tables: DatabasePlanner, words: SchemaWords) -> None:
        self.asked = asked
        self.tables = tables
        self.words = words

    @property
    def catalog(self) -> Catalog:
        return self.asked.catalog

    @property
    def knowledge(self) -> Knowledge:
        return self.words.knowledge

    @property
    def graph(self) -> Graph:
        return self.knowledge.things.graph

    def shown(self) -> Shown | None:
        """The rows that are picked from: those that were shown last, or else those of the slice."""
        continuity = self.asked.continuity
        last = continuity.last_found
        found = shown_rows(last, self.catalog, self.knowledge) if last is not None else None
        if last is not None and found is not None and (last.row_count > 1 or self._belongs(found)):
            return found
        return self.slice()

    def _belongs(self, shown: Shown) -> bool:
        """Whether the only row of the last answer is one of what belongs to the row in hand, and not that row
        itself: "the first" is that one then."""
        selected = self.selected()
        if selected is None or shown.table.key == selected.table.key:
            return False
        return not belongs_to(self.graph, selected.table, shown.table)

    def slice(self) -> Shown | None:
        """The rows of the slice in hand."""
        return shown_rows(self.asked.continuity.root_answer, self.catalog, self.knowledge)

    def rows(self, shown: Shown, places: range | tuple[int, ...]) -> list[RowObject]:
        """Some rows of a result, each under its own name."""
        found = keyed(shown, places, self.catalog, self.knowledge)[:MOST_ROWS]
        return found if shown.labels else [named(row, self.catalog, self.knowledge) for row in found]

    def selected(self) -> RowObject | None:
        """The row in hand; an object of a pack is none."""
        frame = self.asked.continuity.selected_object
        if frame is None or frame.focus_object_kind in self.catalog.kinds:
            return None
        return row_of(frame.focus_object_ref, self.graph)

    def last_row(self, selected: RowObject) -> RowObject | None:
        """The only row of the last answer, where it is another one than the row in hand."""
        last = self.asked.continuity.last_found
        shown = shown_rows(last, self.catalog, self.knowledge) if last and last.row_count == 1 else None
        rows = self.rows(shown, (0,)) if shown is not None else []
        if len(rows) != 1:
            return None
        one, other = rows[0].ref, selected.ref
        return rows[0] if (one.kind, one.id) != (other.kind, other.id) else None

    def called(self, name: str) -> RowObject | None:
        """The row of a name: the one in hand, or the only one among those that are shown."""
        selected, wanted = self.selected(), name.casefold()
        if selected is not None and selected.name.casefold() == wanted:
            return selected
        for answer in (self.asked.continuity.last_found, self.asked.continuity.root_answer):
            shown = shown_rows(answer, self.catalog, self.knowledge)
            if shown is None:
                continue
            rows = shown.answer.rows
            places = tuple(n for n, row in enumerate(rows) if shown.name_of(row).casefold() == wanted)
            found = self.rows(shown, places)
            if len(found) == 1:
                return found[0]
        return None

    def question(self, read: Said) -> ObjectQuestion:
        return ObjectQuestion(read, self.words, self.catalog, self._planned)

    def _planned(self, text: str) -> Proposal:
        """What the planner over tables makes of some of the words, as if nothing had been asked before."""
        alone = replace(self.asked.continuity, root=None, base=(), in_hand=(), attempt=None, root_answer=None)
        return self.tables.propose(replace(self.asked, text=text, continuity=alone))

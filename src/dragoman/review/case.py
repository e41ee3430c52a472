"""A message beside a program: what every rule of the second reader looks at."""

from collections.abc import Callable, Iterator

from dragoman.contracts.program import Program
from dragoman.contracts.record import Record
from dragoman.contracts.schema import ValueType
from dragoman.databases.values import ValueIndex
from dragoman.review.collector import committed
from dragoman.review.commitments import Committed
from dragoman.review.names import Named, names_of, words_of
from dragoman.review.records import Code, Objection
from dragoman.review.vocabulary import column_words
from dragoman.review.words import Cue, Message, Word, read_message
from dragoman.tables.graph import Graph, Table, TableKey
from dragoman.tables.paths import ColumnPath
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import NUMBERS, TableVerb

_LONG_VERB = 5
"""So long is a verb, at least, that the name of whoever does it is made of."""


class Case(Record, frozen=True, gc=True):
    message: Message
    committed: Committed
    graph: Graph
    named: tuple[Named, ...]
    values: ValueIndex | None = None
    carried: frozenset[str] = frozenset()
    """What was asked for before this message, as it is written."""
    before: tuple[Committed, ...] = ()
    """The programs that the message may lean on."""

    @property
    def words(self) -> tuple[Word, ...]:
        return self.message.words

    def objection(self, code: Code, words: str = "", part: str = "") -> Objection:
        text = self.message.vocabulary.objections[code].format(words=words, part=part)
        return Objection(code, words, part, text)

    def demanded(self, code: Code, cue: Cue, part: str = "") -> Objection:
        return self.objection(code, self.message.said(cue), part)

    def said_of(self, named: Named) -> str:
        return self.message.text[self.words[named.first].start : self.words[named.last - 1].end]

    @property
    def head(self) -> int:
        """Where the first word stands that is neither small nor a cue: what is asked for, mostly."""
        at, small = 0, self.message.small_words
        while at < len(self.words):
            ends = [cue.last for cue in self.message.cues if cue.first <= at < cue.last]
            word = self.words[at]
            if not ends and word.number is None and word.keys.isdisjoint(small):
                break
            at = max(ends, default=at + 1)
        return at

    def mentions(self, names: frozenset[str]) -> bool:
        """Whether any word says one of some names, as it is or cut short."""
        return any(says(word, names) for word in self.words if not word.quoted)

    def named_after(self, at: int, within: int = 2) -> Named | None:
        """The name that begins at a word or a little later."""
        return next((each for each in self.named if at <= each.first <= at + within), None)

    def uses(self, named: Named) -> bool:
        """Whether anything that the program uses has this name, or a longer one with it."""
        return self.uses_words(self.words[named.last - 1])

    def uses_words(self, word: Word) -> bool:
        return says(word, self.committed.names) or self._is_half(word) or self._is_below(word)

    def _is_half(self, word: Word) -> bool:
        """Whether a word and the one beside it are a name in one word: the time zone, and `timezone`."""
        at = next((at for at, each in enumerate(self.words) if each is word), None)
        pairs = () if at is None else (self.words[max(at - 1, 0) : at + 1], self.words[at : at + 2])
        return any(
            f"{pair[0].form}{key}" in self.committed.names
            for pair in pairs
            if len(pair) > 1
            for key in pair[1].keys
        )

    def _is_below(self, word: Word) -> bool:
        """Whether a word asks for rows below others of their kind, and the program tells those: subdocks."""
        before = self.message.vocabulary.below
        if not word.is_plural or not any(
            word.form.startswith(each) and len(word.form) > len(each) + 2 for each in before
        ):
            return False
        for request in self.committed.requests:
            own = [
                link for link in self.graph.links(request.table).values() if link.target == request.table.key
            ]
            keys = {here for link in own if link.single for here, _ in link.pairs}
            atoms = (each for each in self.committed.atoms if each.sign == "missing" and each.negated)
            if any(each.column is not None and each.column.info.name in keys for each in atoms):
                return True
            ways = [*(each.links for each in self.committed.linkings)]
            ways += [path.links for path in self.committed.columns]
            if any(link in own for links in ways for link in links[:1]):
                return True
        return False

    def is_used_cue(self, cue: Cue) -> bool:
        """Whether the words of a cue are only part of a name that the program uses: a column `total`."""
        words = self.words[cue.first : cue.last]
        said = frozenset().union(*(word.keys for word in words)) | self.message.vocabulary.like(cue.does)
        if said & self.committed.names:
            return True
        # `tot_cred` has a total, cut short.
        cut = [name for name in self.committed.names if len(name) > 2]
        measured = len(words) == 1 and cue.does in ("sum", "average", "count", "share")
        return measured and any(words[0].form.startswith(name) for name in cut)


def says(word: Word, names: frozenset[str]) -> bool:
    """Whether a word is in a name, as it is or cut short: department in `DEPT_CODE`."""
    if word.keys & names:
        return True
    # Whoever managed something is one of its managers.
    done = (key for key in word.keys if len(key) >= _LONG_VERB and key != word.form)
    if any(f"{key}{ending}" in names for key in done for ending in ("r", "er", "or")):
        return True
    return any(is_short_for(name, word.form) or _is_glued(name, word, names) for name in names)


def _is_glued(name: str, word: Word, names: frozenset[str]) -> bool:
    """Whether a name is the word with that of a key written onto it: `custid`, `deptno`; or behind another
    name: `boatcrew`, beside a boat."""
    ends = [name[len(key) :] for key in word.keys if len(key) > 2 and name.startswith(key)]
    begins = [name[: -len(key)] for key in word.keys if len(key) >= _LONG_VERB - 1 and name.endswith(key)]
    return any(end in column_words("key") for end in ends) or any(each in names for each in begins)


def is_short_for(short: str, word: str) -> bool:
    """Whether letters of a word in their order make a shorter one: dept, prof, stu."""
    if not 3 <= len(short) < len(word) or short[0] != word[0]:
        return False
    if word.startswith(short):
        return True
    letters = iter(word)
    return len(short) <= 5 and all(letter in letters for letter in short)


def case_of(
    text: str, language: str, program: Program, graph: Graph, values: ValueIndex | None = None
) -> Case:
    message = read_message(text, language)
    named = tuple(names_of(graph).named(message.words))
    return Case(message, committed(program, graph), graph, named, values)


def shown_paths(request: ReadRequest) -> tuple[ColumnPath, ...]:
    """The columns of a result."""
    shown = request.shown if request.shown else request.columns
    return tuple(each for each in shown if isinstance(each, ColumnPath))


def is_bare_figure(request: ReadRequest) -> bool:
    """Whether the result is one row of figures."""
    return request.verb not in (TableVerb.LIST, TableVerb.TOP) and not request.by


def is_number(path: ColumnPath) -> bool:
    return path.type in NUMBERS


def is_key(request: ReadRequest, path: ColumnPath) -> bool:
    """Whether a column of the request's own table only tells rows apart, or leads to others."""
    info = request.table.info
    keys = {*info.primary_key, *(name for key in info.foreign_keys for name in key.columns)}
    return not path.links and path.column.info.name in keys


def is_moment(type_: ValueType) -> bool:
    return type_ in (ValueType.DATE, ValueType.DATETIME, ValueType.INSTANT, ValueType.TIME)


def leads_to(graph: Graph, table: Table, path: ColumnPath) -> frozenset[str]:
    """The names of the tables whose keys a column holds."""
    links = graph.links(table).values()
    keys = [link for link in links if any(here == path.column.info.name for here, _ in link.pairs)]
    return frozenset().union(*(words_of(graph.tables[link.target].info.name) for link in keys))


def is_counted_by_its_day(case: Case, word: Word) -> bool:
    """ "How many departures" are rows that have a day of departure, where nothing else is called so."""
    return word.is_plural and any(
        request.verb is TableVerb.COUNT
        and all(each.of is None for each in request.measures)
        and any(word.keys & words_of(date.info.name) for date in request.table.dates)
        for request in case.committed.requests
    )


def is_called_so(case: Case, word: Word, tables: frozenset[TableKey]) -> bool:
    """Whether links that lead to some tables are called by a word: a row of people is a player where others
    point at it as one."""
    links = [link for table in case.graph.tables.values() for link in case.graph.links(table).values()]
    return any(
        word.keys & words_of(link.name) for link in links if "-by-" not in link.name and link.target in tables
    )


def path_words(path: ColumnPath) -> frozenset[str]:
    """The words of a column's name, and of the links that lead to it."""
    return words_of(path.column.info.name).union(*(words_of(link.name) for link in path.links))


Rule = Callable[[Case], Iterator[Objection]]
"""What looks at a case and says what it has against it."""

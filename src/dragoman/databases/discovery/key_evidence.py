"""What speaks for a key that nobody declared, where no name says it whole: parts, roles and abbreviations.

Names alone do not make such a guess good: the data must agree with it on several values.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from dragoman.contracts.schema import ColumnInfo, TableInfo, ValueType
from dragoman.databases.discovery.name_words import pointed_at, singular, subject_of, words_of

KEY_TYPES: Final = frozenset({ValueType.INTEGER, ValueType.TEXT, ValueType.UUID, ValueType.DECIMAL})
GENERIC: Final = frozenset(
    {"id", "key", "code", "no", "name", "number", "uuid", "guid", "pk", "rowid", "index", "type"}
)
_SHORTEST_ENDING: Final = 3
_NUMBERS: Final = {"no": "number", "num": "number", "nr": "number", "nbr": "number"}
_FUSED: Final = ("number", "num", "no", "nr", "id", "code", "key")
_PEOPLE: Final = frozenset(
    {"employee", "staff", "user", "person", "people", "worker", "personnel", "member", "emp", "colleague"}
)
_ROLES: Final = frozenset(
    {
        "manager",
        "mgr",
        "boss",
        "supervisor",
        "super",
        "superior",
        "head",
        "chief",
        "leader",
        "owner",
        "author",
        "creator",
        "assignee",
        "reporter",
        "approver",
        "reviewer",
        "salesperson",
        "salesman",
        "rep",
        "representative",
        "agent",
        "captain",
        "coach",
        "editor",
        "mentor",
        "director",
        "president",
        "seller",
        "technician",
        "instructor",
        "teacher",
        "advisor",
        "adviser",
        "sender",
        "requester",
        "trainer",
        "tutor",
        "lecturer",
        "host",
        "organizer",
        "organiser",
        "operator",
        "inspector",
        "writer",
        "recipient",
        "receiver",
        "sponsor",
        "inviter",
        "invitee",
        "referrer",
        "follower",
        "friend",
    }
)
"""Parts that people play in rows of other tables, and in those of their own."""
_PLACES: Final = frozenset({"city", "town", "location", "place", "airport", "station", "port"})
_WHERE: Final = frozenset(
    {
        "capital",
        "headquarter",
        "hometown",
        "birthplace",
        "origin",
        "destination",
        "dest",
        "venue",
        "departure",
        "arrival",
    }
)
_TEAMS: Final = frozenset({"team", "club", "squad", "franchise"})
_SIDES: Final = frozenset({"home", "away", "winner", "loser", "opponent", "visitor"})
_DEEDS: Final = frozenset(
    {
        "created",
        "updated",
        "approved",
        "assigned",
        "reports",
        "reported",
        "handled",
        "closed",
        "opened",
        "reviewed",
        "sold",
        "signed",
        "edited",
        "managed",
        "supervised",
        "led",
    }
)
_HANDED_ON: Final = frozenset(
    {"referred", "invited", "introduced", "recommended", "replaced", "superseded", "succeeded"}
)
"""What something of a kind does to another of its kind."""
_TOWARDS: Final = frozenset({"by", "to"})
_POINTERS: Final = frozenset(
    {"id", "no", "nr", "num", "number", "key", "code", "fk", "ssn", "ref", *_TOWARDS}
)
COUNTED: Final = frozenset(
    {
        "order",
        "rank",
        "level",
        "grade",
        "group",
        "class",
        "stage",
        "step",
        "page",
        "version",
        "line",
        "point",
        "unit",
        "count",
        "year",
        "month",
        "day",
        "time",
        "hour",
        "visit",
        "rating",
        "score",
        "position",
        "round",
        "season",
        "number",
    }
)
"""Numbers that are called by such a word say how much or which in a row, and not which row."""
_LIMITS: Final = frozenset({"max", "maximum", "min", "minimum", "total", "avg", "average", "num", "count"})
"""Before the name of something: how many of them, or how many there may be."""


_SURE_POINTERS: Final = frozenset({"id", "key", "fk", "code", "uuid", "guid", "ref"})


def own_key(table: TableInfo) -> ColumnInfo | None:
    """The one column that tells its rows apart."""
    if len(table.primary_key) != 1:
        return None
    return next((each for each in table.columns if each.name == table.primary_key[0]), None)


def likely_targets(table: TableInfo, each: ColumnInfo, tables: Iterable[TableInfo]) -> list[TableInfo]:
    """Tables whose only key a column may hold, by the strongest evidence under which there are some."""
    if each.type not in KEY_TYPES:
        return []
    fitting = [
        other
        for other in tables
        if (key := own_key(other)) is not None
        and key.type is each.type
        and other.schema == table.schema
        and not (other is table and key.name == each.name)
        and not _is_part(other)
    ]
    for rule in _RULES:
        found = [other for other in fitting if rule(table, each, other)]
        if found:
            return _roots(found)
    return []


def _roots(found: list[TableInfo]) -> list[TableInfo]:
    """Of several tables of people the one that the others lead to: members of projects are users."""
    names = {(other.schema, other.name) for other in found}

    def leads_to_others(other: TableInfo) -> bool:
        led_to = {(key.schema, key.table) for key in other.foreign_keys}
        return bool(led_to & names - {(other.schema, other.name)})

    roots = [other for other in found if not leads_to_others(other)]
    return roots if len(roots) == 1 else found


def homes(table: TableInfo, tables: Iterable[TableInfo]) -> Iterator[TableInfo]:
    """Tables whose key of several columns another table repeats, and which one of these columns is named
    after: seasons of a team, in a table of teams."""
    names = {each.name: each for each in table.columns}
    for other in tables:
        if other is table or other.schema != table.schema or len(other.primary_key) < 2:
            continue
        theirs = {each.name: each for each in other.columns}
        repeated = all(
            name in names and names[name].type is theirs[name].type in KEY_TYPES for name in other.primary_key
        )
        own = any(pointed_at(name)[0] == subject_of(other.name) for name in other.primary_key)
        if repeated and own and set(other.primary_key) != set(table.primary_key):
            yield other


def _is_part(table: TableInfo) -> bool:
    """Whether a table's key is another's: its rows are parts of that table's rows."""
    return any(key.columns == table.primary_key for key in table.foreign_keys)


def _key_name(table: TableInfo) -> str:
    return table.primary_key[0]


def _named_alike(table: TableInfo, each: ColumnInfo, other: TableInfo) -> bool:
    """`Dno` and `Dnumber`: the same words, cut short in different ways."""
    words = _plain(each.name)
    return other is not table and len(words) > 1 and words == _plain(_key_name(other))


def _ends_alike(table: TableInfo, each: ColumnInfo, other: TableInfo) -> bool:
    """`mentor_badge` and `badge`, `ebadge` of employees: the key with something before it."""
    name, key = "".join(words_of(each.name)), "".join(words_of(_key_name(other)))
    if key in GENERIC or len(key) < _SHORTEST_ENDING or name == key or not name.endswith(key):
        return False
    before = name.removesuffix(key)
    apart = words_of(each.name)[-1] == key
    return apart or any(word.startswith(before) for word in words_of(other.name))


def _ends_with_subject(table: TableInfo, each: ColumnInfo, other: TableInfo) -> bool:
    """`home_harbour`, which says in which of the harbours."""
    words = words_of(each.name)
    subject = subject_of(other.name)
    if other is table or not words or (singular(words[-1]),) != subject or not _LIMITS.isdisjoint(words):
        return False
    return each.type is not ValueType.INTEGER or subject[0] not in COUNTED


def _plays_part(table: TableInfo, each: ColumnInfo, other: TableInfo) -> bool:
    """`reports_to`, `approved_by`, `head_id`: one of the people."""
    words = set(words_of(each.name))
    named = bool(_ROLES & words) and (len(words) == 1 or bool(_POINTERS & words))
    if not named and not (_DEEDS & words and _TOWARDS & words):
        return False
    return is_people(other)


def is_told_part(table: TableInfo, each: ColumnInfo, other: TableInfo) -> bool:
    """`author_id`, which says both that it leads somewhere and to whom."""
    return other is not table and bool(_pointed(each)) and _plays_part(table, each, other)


def is_people(table: TableInfo) -> bool:
    """Whether rows are people: their own, and not what is kept of the people of another table."""
    own = [key for key in table.foreign_keys if key.table != table.name]
    led = any(_PEOPLE & set(subject_of(key.table)[-1:]) for key in own)
    called = {*words_of(table.name)[-1:], *subject_of(table.name)[-1:]}
    return bool(_PEOPLE & called) and not led


def is_own_list(table: TableInfo, each: ColumnInfo, other: TableInfo) -> bool:
    """`status_id` of orders, which says which of the order statuses: a table that is called after both."""
    subject, thing = subject_of(other.name), _pointed(each)
    own = subject_of(table.name)
    return bool(thing) and bool(own) and subject in ((*own, *thing), (own[-1], *thing))


def _is_list_of(table: TableInfo, each: ColumnInfo, other: TableInfo) -> bool:
    """`status_id`, where there is a table of order statuses."""
    subject, things = subject_of(other.name), _pointed(each)
    ends = (things[start:] for start in range(len(things)))
    return other is not table and any(len(end) < len(subject) and subject[-len(end) :] == end for end in ends)


def _pointed(each: ColumnInfo) -> tuple[str, ...]:
    """What a column points at in so many words."""
    thing, pointer = pointed_at(each.name)
    return thing if pointer in _SURE_POINTERS else ()


def _takes_side(table: TableInfo, each: ColumnInfo, other: TableInfo) -> bool:
    """`home`, `winner_id`: one of the teams."""
    words = set(words_of(each.name))
    sides = bool(_SIDES & words) and (len(words) == 1 or bool(_POINTERS & words))
    return other is not table and sides and bool(_TEAMS & set(subject_of(other.name)[-1:]))


def _hands_on(table: TableInfo, each: ColumnInfo, other: TableInfo) -> bool:
    """`referred_by`, `replaced_by`: another row of the same table."""
    words = set(words_of(each.name))
    return other is table and bool(_HANDED_ON & words) and bool(_TOWARDS & words)


def _says_where(table: TableInfo, each: ColumnInfo, other: TableInfo) -> bool:
    """`capital`, `origin`: one of the places."""
    words = {singular(word) for word in words_of(each.name)}
    return other is not table and bool(_WHERE & words) and bool(_PLACES & set(subject_of(other.name)))


def _plain(name: str) -> tuple[str, ...]:
    """The words of a name, its ending taken off and written out."""
    found: list[str] = []
    for word in words_of(name):
        ending = next((end for end in _FUSED if word.endswith(end) and len(word) > len(end)), "")
        found.extend((word.removesuffix(ending), ending) if ending else (word,))
    return tuple(_NUMBERS.get(word, word) for word in found)


_RULES: Final = (
    _named_alike,
    _ends_alike,
    _ends_with_subject,
    is_own_list,
    _is_list_of,
    _plays_part,
    _says_where,
    _takes_side,
    _hands_on,
)
"""The strongest first."""

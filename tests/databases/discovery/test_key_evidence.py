"""Keys that no name says whole: parts of names, roles and abbreviations, and values that cannot be chance."""

from dragoman.contracts.schema import DatabaseSchema, ForeignKey
from dragoman.databases.discovery import discover
from tests.databases.discovery.conftest import FAMILY, Opener

_YARD = (
    "CREATE TABLE crew (badge INTEGER PRIMARY KEY, given VARCHAR(20), mentor_badge INTEGER, dno INTEGER)",
    "CREATE TABLE dock (dnumber INTEGER PRIMARY KEY, title VARCHAR(20), head_badge INTEGER, "
    "berths INTEGER, flag_colour VARCHAR(20))",
    "CREATE TABLE shifts (cbadge INTEGER, hours INTEGER)",
    "CREATE TABLE pigments (shade VARCHAR(20) PRIMARY KEY, price INTEGER)",
    "CREATE TABLE boats (built INTEGER, home VARCHAR(9), weight INTEGER, PRIMARY KEY (built, home))",
)
_SHADES = ("red", "blue", "green", "white", "black", "amber", "teal", "plum", "rose", "grey")


def _rows() -> tuple[str, ...]:
    crew = [(100, "Ada", "NULL", 1), (101, "Bo", 100, 1), (102, "Cy", 100, 4), (103, "Di", 101, 5)]
    docks = [(1, 100), (4, 101), (5, 103), *((number, 102) for number in range(6, 13))]
    return (
        *(f"INSERT INTO pigments VALUES ('{shade}', {at})" for at, shade in enumerate(_SHADES)),
        *(f"INSERT INTO crew VALUES ({badge}, '{name}', {to}, {dock})" for badge, name, to, dock in crew),
        *(
            f"INSERT INTO dock VALUES ({number}, 'Dock {number}', {head}, {number % 3 + 4}, '{shade}')"
            for (number, head), shade in zip(docks, _SHADES, strict=True)
        ),
        *(f"INSERT INTO shifts VALUES ({badge}, {badge % 7})" for badge in (100, 101, 103)),
        "INSERT INTO boats VALUES (1990, 'Dock 1', 4)",
    )


def _keys(schema: DatabaseSchema, name: str) -> tuple[ForeignKey, ...]:
    return next(table for table in schema.tables if table.name == name).foreign_keys


def test_parts_of_names_and_values_make_keys(opened: Opener) -> None:
    reader = opened((*_YARD, *_rows()))
    schema = discover(reader, FAMILY[reader.dialect])
    assert _keys(schema, "crew") == (
        ForeignKey(("mentor_badge",), "crew", ("badge",), declared=False),
        ForeignKey(("dno",), "dock", ("dnumber",), declared=False),
    )
    # Berths are numbers of docks by chance; the colours of ten flags are not.
    assert _keys(schema, "dock") == (
        ForeignKey(("head_badge",), "crew", ("badge",), declared=False),
        ForeignKey(("flag_colour",), "pigments", ("shade",), declared=False),
    )
    assert _keys(schema, "shifts") == (ForeignKey(("cbadge",), "crew", ("badge",), declared=False),)
    assert _keys(schema, "pigments") == ()
    assert _keys(schema, "boats") == ()


def test_a_key_of_several_columns_leads_home(opened: Opener) -> None:
    reader = opened(
        (
            "CREATE TABLE clubs (season INTEGER, club_code VARCHAR(9), city VARCHAR(20), "
            "PRIMARY KEY (season, club_code))",
            "CREATE TABLE pay (season INTEGER, club_code VARCHAR(9), amount INTEGER)",
            "INSERT INTO clubs VALUES (2020, 'AX', 'Brill'), (2021, 'AX', 'Brill'), (2021, 'BY', 'Dorn')",
            "INSERT INTO pay VALUES (2020, 'AX', 5), (2021, 'BY', 7)",
        )
    )
    schema = discover(reader, FAMILY[reader.dialect])
    columns = ("season", "club_code")
    assert _keys(schema, "pay") == (ForeignKey(columns, "clubs", columns, declared=False),)
    assert _keys(schema, "clubs") == ()


def test_nought_is_nobody_and_a_limit_is_no_key(opened: Opener) -> None:
    reader = opened(
        (
            "CREATE TABLE employee (employee_id INTEGER PRIMARY KEY, supervisor_id INTEGER)",
            "INSERT INTO employee VALUES (1, 0), (2, 1), (3, 1), (4, 2)",
            "CREATE TABLE berth (berth_id INTEGER PRIMARY KEY, max_employee INTEGER)",
            "INSERT INTO berth VALUES (1, 2), (2, 3), (3, 4)",
        )
    )
    schema = discover(reader, FAMILY[reader.dialect])
    expected = ForeignKey(("supervisor_id",), "employee", ("employee_id",), declared=False)
    assert _keys(schema, "employee") == (expected,)
    assert _keys(schema, "berth") == ()


_VALLEY = (
    "CREATE TABLE parish (title VARCHAR(20), code VARCHAR(9) PRIMARY KEY)",
    "CREATE TABLE upkeep (parish VARCHAR(9) PRIMARY KEY, cost INTEGER)",
    "CREATE TABLE fences (parish1 VARCHAR(9), parish2 VARCHAR(9), metres INTEGER)",
    "CREATE TABLE streams (name VARCHAR(20) PRIMARY KEY, stream VARCHAR(20), miles INTEGER)",
    "CREATE TABLE halts (halt_id VARCHAR(9) PRIMARY KEY, parent_yard VARCHAR(9), parish_code VARCHAR(9))",
    "CREATE TABLE fairs (fair_id INTEGER PRIMARY KEY, parish_code VARCHAR(9))",
    "INSERT INTO parish VALUES ('Ashby', 'ab'), ('Brook', 'bk'), ('Colne', 'cn')",
    "INSERT INTO upkeep VALUES ('ab', 5), ('cn', 7)",
    "INSERT INTO fences VALUES ('ab', 'bk', 40), ('bk', 'cn', 50)",
    "INSERT INTO streams VALUES ('Wend', NULL, 30), ('Lide', 'Wend', 8), ('Orr', 'Wend', 6), "
    "('Tam', 'Lide', 3)",
    "INSERT INTO halts VALUES ('h1', NULL, 'ab'), ('h2', NULL, 'bk'), ('h3', 'h1', 'ab'), ('h4', 'h2', 'bk')",
)


def test_a_name_that_says_it_whole_is_as_good_as_a_declaration(opened: Opener) -> None:
    reader = opened(_VALLEY)
    schema = discover(reader, FAMILY[reader.dialect])
    found = {
        (table.name, *key.columns): (key.table, *key.target_columns, key.declared, key.certain)
        for table in schema.tables
        for key in table.foreign_keys
    }
    assert found == {
        # A row more on each parish, whose own key is that of the parish; and not the other way round.
        ("upkeep", "parish"): ("parish", "code", False, True),
        ("fences", "parish1"): ("parish", "code", False, True),
        ("fences", "parish2"): ("parish", "code", False, True),
        # The stream that a stream flows into, the yard that a halt is part of.
        ("streams", "stream"): ("streams", "name", False, True),
        ("halts", "parent_yard"): ("halts", "halt_id", False, True),
        ("halts", "parish_code"): ("parish", "code", False, True),
        # No fair says anything for or against it.
        ("fairs", "parish_code"): ("parish", "code", False, False),
    }


def test_one_value_far_down_is_enough_to_be_uncertain(opened: Opener) -> None:
    rows = ", ".join("('ab')" for _ in range(2_100))
    reader = opened(
        (
            "CREATE TABLE parish (code VARCHAR(9) PRIMARY KEY)",
            "CREATE TABLE visits (parish_code VARCHAR(9))",
            "INSERT INTO parish VALUES ('ab'), ('bk')",
            f"INSERT INTO visits VALUES {rows}",
            "INSERT INTO visits VALUES ('zz')",
        )
    )
    schema = discover(reader, FAMILY[reader.dialect])
    assert _keys(schema, "visits") == (ForeignKey(("parish_code",), "parish", ("code",), declared=False),)


_WORKS = (
    "CREATE TABLE staff (id INTEGER PRIMARY KEY, given VARCHAR(20))",
    "CREATE TABLE staff_members (id INTEGER PRIMARY KEY, staff_id INTEGER, since INTEGER)",
    "CREATE TABLE repair_statuses (id INTEGER PRIMARY KEY, title VARCHAR(20))",
    "CREATE TABLE codes (id INTEGER PRIMARY KEY, list_type VARCHAR(20), title VARCHAR(20))",
    "CREATE TABLE repairs (id INTEGER PRIMARY KEY, status_id INTEGER, author_id INTEGER, urgency_id INTEGER, "
    "colour_id INTEGER)",
    "CREATE TABLE repair_links (repair_from_id INTEGER, repair_to_id INTEGER)",
    "INSERT INTO staff VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy')",
    "INSERT INTO staff_members VALUES (1, 1, 2019), (2, 2, 2020), (3, 3, 2021)",
    "INSERT INTO repair_statuses VALUES (1, 'new'), (2, 'done'), (3, 'void')",
    "INSERT INTO codes VALUES (1, 'RepairUrgency', 'low'), (2, 'RepairUrgency', 'high')",
    "INSERT INTO codes VALUES (3, 'Colour', 'red'), (4, 'Colour', 'blue')",
    "INSERT INTO repairs VALUES (11, 1, 1, 1, 1), (12, 2, 3, 2, 3), (13, 3, 1, 2, 4)",
    "INSERT INTO repair_links VALUES (11, 12), (12, 13)",
)


def test_lists_of_states_people_and_lists_of_everything(opened: Opener) -> None:
    reader = opened(_WORKS)
    schema = discover(reader, FAMILY[reader.dialect])
    found = {key.columns[0]: (key.table, key.certain) for key in _keys(schema, "repairs")}
    # A colour is one of the colours, and 1 is none of them.
    assert found == {
        "status_id": ("repair_statuses", True),
        "author_id": ("staff", True),
        "urgency_id": ("codes", True),
    }
    assert [key.table for key in _keys(schema, "repair_links")] == ["repairs", "repairs"]


def test_rows_without_a_key_are_told_apart_by_what_is_called_so(opened: Opener) -> None:
    reader = opened(
        (
            "CREATE TABLE piers (pier_id INTEGER, title VARCHAR(20))",
            "CREATE TABLE trips (trip_code VARCHAR(9), from_pier_id INTEGER, to_pier_id INTEGER)",
            "CREATE TABLE tides (pier_id INTEGER, metres INTEGER)",
            "CREATE TABLE fares (fare_id INTEGER, price INTEGER)",
            "INSERT INTO piers VALUES (5, 'North'), (6, 'South'), (9, 'East')",
            "INSERT INTO trips VALUES ('a', 5, 6), ('b', 6, 9), ('c', 9, 5)",
            "INSERT INTO tides VALUES (5, 2), (6, 3)",
            "INSERT INTO fares VALUES (1, 10), (1, 12)",
        )
    )
    schema = discover(reader, FAMILY[reader.dialect])
    keys = {table.name: table.primary_key for table in schema.tables}
    assert keys == {"piers": ("pier_id",), "trips": ("trip_code",), "tides": (), "fares": ()}
    targets = ("piers", ("pier_id",))
    found = [(key.columns, (key.table, key.target_columns), key.certain) for key in _keys(schema, "trips")]
    assert found == [(("from_pier_id",), targets, True), (("to_pier_id",), targets, True)]

"""Keys of tables that were loaded from files, where nobody declared any."""

from dragoman.contracts.schema import DatabaseSchema, TableInfo
from dragoman.databases.discovery import discover
from tests.databases.discovery.conftest import FAMILY, Opener


def _table(schema: DatabaseSchema, name: str) -> TableInfo:
    return next(table for table in schema.tables if table.name == name)


def test_what_tells_rows_apart_is_their_key(opened: Opener) -> None:
    kilns = ", ".join(f"({number}, 'Kiln {number}')" for number in range(1, 4))
    firings = ", ".join(f"('f{number}', {number % 3 + 1}, {number % 2})" for number in range(9))
    reader = opened(
        (
            "CREATE TABLE kilns (kiln_id INTEGER, kiln_name VARCHAR(20))",
            f"INSERT INTO kilns VALUES {kilns}",
            "CREATE TABLE firings (run_no VARCHAR(9), spare_kiln_id INTEGER, rack_id INTEGER)",
            f"INSERT INTO firings VALUES {firings}",
            "CREATE TABLE glazes (glaze_id INTEGER, shade VARCHAR(20))",
            "INSERT INTO glazes VALUES (1, 'teal'), (1, 'plum'), (2, 'grey')",
            "CREATE TABLE visitors (ticket_id INTEGER, day VARCHAR(20))",
            "INSERT INTO visitors VALUES (1, 'Monday'), (2, 'Monday')",
        )
    )
    schema = discover(reader, FAMILY[reader.dialect])
    assert _table(schema, "kilns").primary_key == ("kiln_id",)
    assert _table(schema, "firings").primary_key == ("run_no",)
    # A value comes twice; and two rows say nothing of a column that only comes first.
    assert _table(schema, "glazes").primary_key == ()
    assert _table(schema, "visitors").primary_key == ()
    (key,) = _table(schema, "firings").foreign_keys
    assert (key.columns, key.table, key.target_columns, key.declared) == (
        ("spare_kiln_id",),
        "kilns",
        ("kiln_id",),
        False,
    )


def test_a_table_may_be_called_after_the_one_that_points_at_it(opened: Opener) -> None:
    reader = opened(
        (
            "CREATE TABLE parcel_statuses (id INTEGER PRIMARY KEY, label VARCHAR(20))",
            "INSERT INTO parcel_statuses VALUES (1, 'new'), (2, 'lost')",
            "CREATE TABLE users (id INTEGER PRIMARY KEY, nick VARCHAR(20))",
            "INSERT INTO users VALUES (1, 'ada'), (2, 'bo'), (3, 'cy')",
            "CREATE TABLE members (id INTEGER PRIMARY KEY, user_id INTEGER)",
            "INSERT INTO members VALUES (1, 1), (2, 2)",
            "CREATE TABLE parcels (id INTEGER PRIMARY KEY, status_id INTEGER, author_id INTEGER)",
            "INSERT INTO parcels VALUES (1, 1, 2), (2, 2, 1), (3, 1, 2)",
        )
    )
    schema = discover(reader, FAMILY[reader.dialect])
    found = {key.columns: key.table for key in _table(schema, "parcels").foreign_keys}
    # Members are users: whoever wrote something is one of the users.
    assert found == {("status_id",): "parcel_statuses", ("author_id",): "users"}

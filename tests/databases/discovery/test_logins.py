"""What a login may not read is reported and skipped; what it may read is found whole."""

import psycopg

from dragoman.contracts.schema import DatabaseSchema, ForeignKey
from dragoman.databases.discovery import discover
from tests.databases.discovery.readers import mysql_reader, postgres_reader
from tests.servers import MariadbServer, PostgresServer

PASSWORD = "only-for-tests"

SHOP = (
    "CREATE TABLE customers (id integer PRIMARY KEY, name varchar(20), notes varchar(20))",
    "CREATE TABLE orders (id integer PRIMARY KEY, customer integer, UNIQUE (customer, id),"
    " FOREIGN KEY (customer) REFERENCES customers (id))",
    "CREATE TABLE hidden (id integer PRIMARY KEY)",
)


def names_in(schema: DatabaseSchema) -> list[str]:
    return [table.name for table in schema.tables]


def test_a_restricted_login_on_postgres(postgres_server: PostgresServer, postgres_database: str) -> None:
    database = postgres_database.rpartition("/")[2]
    role = f"r_{database}"
    with postgres_reader(
        postgres_database,
        (
            *SHOP,
            f"CREATE ROLE {role} LOGIN PASSWORD '{PASSWORD}'",
            f"GRANT SELECT ON orders TO {role}",
            f"GRANT SELECT (id, name) ON customers TO {role}",
            "CREATE SCHEMA closed",
            "CREATE TABLE closed.inner_table (id integer)",
            f"GRANT SELECT ON closed.inner_table TO {role}",
        ),
    ):
        pass
    url = f"postgresql://{role}:{PASSWORD}@{postgres_server.host}:{postgres_server.port}/{database}"
    try:
        with postgres_reader(url) as reader:
            schema = discover(reader, "postgres")
    finally:
        with psycopg.connect(postgres_database, autocommit=True) as connection:
            connection.execute(f"DROP OWNED BY {role}".encode())
            connection.execute(f"DROP ROLE {role}".encode())
    assert names_in(schema) == ["customers", "orders"]
    assert [column.name for column in schema.tables[0].columns] == ["id", "name"]
    assert schema.tables[1].foreign_keys == (ForeignKey(("customer",), "customers", ("id",)),)
    assert [(table.schema, table.name) for table in schema.skipped] == [
        ("", "hidden"),
        ("closed", "inner_table"),
    ]
    assert all("permission denied" in table.reason for table in schema.skipped)


def test_a_restricted_login_on_mariadb(mariadb_server: MariadbServer, mariadb_database: str) -> None:
    login = f"'r_{mariadb_database}'@'{mariadb_server.host}'"
    grants = (
        f"CREATE USER {login} IDENTIFIED BY '{PASSWORD}'",
        f"GRANT SELECT ON {mariadb_database}.orders TO {login}",
        f"GRANT SELECT (id, name) ON {mariadb_database}.customers TO {login}",
        f"GRANT INSERT ON {mariadb_database}.hidden TO {login}",
    )
    admin = mariadb_server.url_of(mariadb_database)
    with mysql_reader(admin, (*SHOP, *grants)):
        pass
    user = f"r_{mariadb_database}"
    url = f"mysql://{user}:{PASSWORD}@{mariadb_server.host}:{mariadb_server.port}/{mariadb_database}"
    try:
        with mysql_reader(url) as reader:
            schema = discover(reader, "mysql")
    finally:
        with mysql_reader(admin, (f"DROP USER {login}",)):
            pass
    assert names_in(schema) == ["customers", "orders"]
    assert [column.name for column in schema.tables[0].columns] == ["id", "name"]
    assert schema.tables[1].foreign_keys == (ForeignKey(("customer",), "customers", ("id",)),)
    assert schema.tables[1].unique_keys == (("customer", "id"),)
    assert [table.name for table in schema.skipped] == ["hidden"]
    assert schema.skipped[0].reason


def test_only_the_users_schemas_on_postgres(postgres_database: str) -> None:
    made = (
        "CREATE TABLE here (id integer PRIMARY KEY)",
        "CREATE SCHEMA sales",
        "CREATE TABLE sales.deals (id integer PRIMARY KEY, here_id integer REFERENCES here (id))",
        "CREATE SCHEMA auth",
        "CREATE TABLE auth.users (id integer PRIMARY KEY)",
        "CREATE TABLE logs (id integer, day date) PARTITION BY RANGE (day)",
        "CREATE TABLE logs_2024 PARTITION OF logs FOR VALUES FROM ('2024-01-01') TO ('2025-01-01')",
        "CREATE TYPE mood AS ENUM ('happy', 'sad')",
        "CREATE DOMAIN positive AS numeric(9, 2) CHECK (VALUE > 0)",
        "CREATE TABLE moods (mood mood, amount positive, tags text[])",
        "CREATE MATERIALIZED VIEW counted AS SELECT count(*) AS n FROM here",
    )
    with postgres_reader(postgres_database, made) as reader:
        schema = discover(reader, "postgres")
        hosted = discover(reader, "supabase")
    assert [(table.schema, table.name) for table in schema.tables] == [
        ("", "counted"),
        ("", "here"),
        ("", "logs"),
        ("", "moods"),
        ("auth", "users"),
        ("sales", "deals"),
    ]
    deals = schema.tables[-1]
    assert deals.foreign_keys == (ForeignKey(("here_id",), "here", ("id",), schema=""),)
    moods = schema.tables[3]
    assert [column.type for column in moods.columns] == ["text", "decimal", "json"]
    assert moods.columns[0].samples == ("happy", "sad")
    assert "auth" not in {table.schema for table in hosted.tables}


def test_words_of_an_enumeration_on_mariadb(mariadb_server: MariadbServer, mariadb_database: str) -> None:
    made = ("CREATE TABLE t (e enum('new','it''s','a,b') NOT NULL, z int(9) unsigned zerofill, y year)",)
    with mysql_reader(mariadb_server.url_of(mariadb_database), made) as reader:
        (table,) = discover(reader, "mysql").tables
    assert table.columns[0].samples == ("new", "it's", "a,b")
    assert [column.type for column in table.columns] == ["text", "integer", "integer"]

"""One shop in four dialects: the same tables, keys, comments and rows, in the types each database has."""

from collections.abc import Iterator

from dragoman.contracts.schema import Dialect

HOSTILE = ('sel"ect', "drop table `x`; --", "naïve таблица 표", "order", "it's 100 % ?", "a.b\\c", "[id]")
"""Names of tables that each want to be something else."""

TYPES: dict[str, dict[Dialect, str]] = {
    "whole": dict.fromkeys(Dialect, "bigint"),
    "price": dict.fromkeys(Dialect, "decimal(12,2)"),
    "ratio": {**dict.fromkeys(Dialect, "double"), Dialect.POSTGRES: "double precision"},
    "active": dict.fromkeys(Dialect, "boolean"),
    "day": dict.fromkeys(Dialect, "date"),
    "clock": dict.fromkeys(Dialect, "time"),
    "made": {**dict.fromkeys(Dialect, "timestamp"), Dialect.MYSQL: "datetime", Dialect.SQLITE: "datetime"},
    "seen": {**dict.fromkeys(Dialect, "timestamp with time zone"), Dialect.MYSQL: "timestamp"},
    "doc": dict.fromkeys(Dialect, "json"),
    "uid": dict.fromkeys(Dialect, "uuid"),
    "raw": {**dict.fromkeys(Dialect, "blob"), Dialect.POSTGRES: "bytea"},
    "note": dict.fromkeys(Dialect, "varchar(200)"),
}


def quoted(name: str, dialect: Dialect) -> str:
    mark = "`" if dialect is Dialect.MYSQL else '"'
    return mark + name.replace(mark, mark * 2) + mark


def statements(dialect: Dialect) -> list[str]:
    return [*_tables(dialect), *_comments(dialect), *_rows(), *_hostile(dialect)]


def _tables(dialect: Dialect) -> Iterator[str]:
    secret = "user_password varchar(80), api_token varchar(80)"
    yield (
        "CREATE TABLE customers (id integer PRIMARY KEY, name varchar(80) NOT NULL, email varchar(80) UNIQUE,"
        f" status varchar(20), parent_id integer, {secret})"
    )
    yield (
        "CREATE TABLE employees (id integer PRIMARY KEY, name varchar(80), boss integer,"
        " FOREIGN KEY (boss) REFERENCES employees (id))"
    )
    yield (
        "CREATE TABLE orders (shop integer NOT NULL, number integer NOT NULL, customer_id integer NOT NULL,"
        " product_id integer, stock_id integer, PRIMARY KEY (shop, number))"
    )
    yield (
        "CREATE TABLE order_lines (id integer PRIMARY KEY, shop integer, number integer, quantity integer,"
        " FOREIGN KEY (shop, number) REFERENCES orders (shop, number), UNIQUE (shop, number, quantity))"
    )
    yield "CREATE TABLE products (id integer PRIMARY KEY, title varchar(80))"
    yield "CREATE TABLE stock (id integer PRIMARY KEY)"
    yield "CREATE TABLE stocks (id integer PRIMARY KEY)"
    yield f"CREATE TABLE kinds ({', '.join(f'{name} {types[dialect]}' for name, types in TYPES.items())})"
    yield "CREATE VIEW busy AS SELECT customer_id, count(*) AS orders FROM orders GROUP BY customer_id"


def _comments(dialect: Dialect) -> Iterator[str]:
    if dialect in (Dialect.POSTGRES, Dialect.DUCKDB):
        yield "COMMENT ON TABLE customers IS 'people who buy'"
        yield "COMMENT ON COLUMN customers.name IS 'as they write it'"
    elif dialect is Dialect.MYSQL:
        yield "ALTER TABLE customers COMMENT 'people who buy'"
        yield "ALTER TABLE customers MODIFY name varchar(80) NOT NULL COMMENT 'as they write it'"


def _rows() -> Iterator[str]:
    for number in range(1, 31):
        mail = f"c{number}@example.org"
        status = "open" if number % 3 else "closed"
        parent = "NULL" if number == 1 else "1"
        yield (
            f"INSERT INTO customers VALUES ({number}, 'Customer {number}', '{mail}', '{status}',"
            f" {parent}, 'hunter{number}', 'tok{number}')"
        )
    yield "INSERT INTO employees VALUES (1, 'Ada', NULL)"
    yield "INSERT INTO employees VALUES (2, 'Bob', 1)"
    yield "INSERT INTO products VALUES (1, 'Lamp')"
    yield "INSERT INTO stock VALUES (1)"
    yield "INSERT INTO stocks VALUES (1)"
    # Product 99 does not exist: the data speaks against what the name suggests.
    yield "INSERT INTO orders VALUES (1, 1, 1, 1, 1)"
    yield "INSERT INTO orders VALUES (1, 2, 2, 99, 1)"
    yield "INSERT INTO order_lines VALUES (1, 1, 1, 5)"


def _hostile(dialect: Dialect) -> Iterator[str]:
    for number, name in enumerate(HOSTILE):
        table, column = quoted(name, dialect), quoted(HOSTILE[-number], dialect)
        other = quoted('gro`up"', dialect)
        yield f"CREATE TABLE {table} ({column} varchar(20) PRIMARY KEY, {other} varchar(9))"
        yield f"INSERT INTO {table} VALUES ('v{number}', 'x')"

"""The shape of a PostgreSQL database, from its system catalog."""

from collections import defaultdict

from dragoman.contracts.access import Reader
from dragoman.contracts.decoding import decoded
from dragoman.contracts.query import Value
from dragoman.contracts.schema import ColumnInfo, Dialect, ForeignKey, Shape, TableKind, ValueType
from dragoman.databases.access.native_types import value_type
from dragoman.databases.discovery.catalog_reader import catalog_rows, count_of, text_of
from dragoman.databases.discovery.declared_options import options_in_check, together
from dragoman.databases.discovery.draft import Draft, Place

# Of a partitioned table the whole is told, not its parts; what an extension brought is not the user's.
_OURS = """
WITH ours AS (
  SELECT c.oid, c.relname, c.relkind, c.reltuples, n.nspname,
    has_schema_privilege(n.oid, 'USAGE') AND has_any_column_privilege(c.oid, 'SELECT') AS readable
  FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND NOT c.relispartition
    AND n.nspname <> 'information_schema' AND left(n.nspname, 3) <> 'pg_'
    AND NOT EXISTS (
      SELECT 1 FROM pg_catalog.pg_depend AS d
      WHERE d.classid = 'pg_catalog.pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
), enums AS (
  SELECT enumtypid AS type, json_agg(enumlabel ORDER BY enumsortorder)::text AS labels
  FROM pg_catalog.pg_enum GROUP BY enumtypid
)
"""
_DEFAULT = "SELECT coalesce(current_schema(), 'public')"
_TABLES = (
    _OURS
    + """
SELECT nspname::text, relname::text, relkind::text, reltuples::float8, readable,
  obj_description(oid, 'pg_class') FROM ours
"""
)
_COLUMNS = (
    _OURS
    + """
SELECT o.nspname::text, o.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod),
  format_type(coalesce(nullif(t.typbasetype, 0), t.oid), NULL), t.typtype::text, a.attnotnull,
  col_description(o.oid, a.attnum),
  e.labels,
  CASE WHEN a.attgenerated <> '' THEN pg_get_expr(d.adbin, d.adrelid) END
FROM ours AS o JOIN pg_catalog.pg_attribute AS a ON a.attrelid = o.oid
  JOIN pg_catalog.pg_type AS t ON t.oid = a.atttypid
  LEFT JOIN enums AS e ON e.type = t.oid
  LEFT JOIN pg_catalog.pg_attrdef AS d ON d.adrelid = o.oid AND d.adnum = a.attnum
WHERE o.readable AND a.attnum > 0 AND NOT a.attisdropped AND has_column_privilege(o.oid, a.attnum, 'SELECT')
ORDER BY o.oid, a.attnum
"""
)
# The checks of tables, and those of the domains that columns are of: there the column is called VALUE.
_CHECKS = (
    _OURS
    + """
SELECT o.nspname::text, o.relname::text, '', pg_get_expr(c.conbin, c.conrelid)
FROM ours AS o JOIN pg_catalog.pg_constraint AS c ON c.conrelid = o.oid WHERE c.contype = 'c'
UNION ALL
SELECT o.nspname::text, o.relname::text, a.attname::text, pg_get_expr(c.conbin, 0)
FROM ours AS o JOIN pg_catalog.pg_attribute AS a ON a.attrelid = o.oid
  JOIN pg_catalog.pg_constraint AS c ON c.contypid = a.atttypid
WHERE c.contype = 'c' AND a.attnum > 0 AND NOT a.attisdropped
"""
)
_UNIQUE = (
    _OURS
    + """
SELECT o.nspname::text, o.relname::text, i.indexrelid::text, i.indisprimary, a.attname::text
FROM ours AS o JOIN pg_catalog.pg_index AS i ON i.indrelid = o.oid
  CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
  JOIN pg_catalog.pg_attribute AS a ON a.attrelid = o.oid AND a.attnum = k.number
WHERE i.indisunique AND i.indisvalid AND i.indpred IS NULL AND i.indexprs IS NULL AND k.place <= i.indnkeyatts
ORDER BY i.indexrelid, k.place
"""
)
_FOREIGN = (
    _OURS
    + """
SELECT o.nspname::text, o.relname::text, c.oid::text, a.attname::text,
  t.nspname::text, t.relname::text, b.attname::text
FROM ours AS o JOIN pg_catalog.pg_constraint AS c ON c.conrelid = o.oid JOIN ours AS t ON t.oid = c.confrelid
  CROSS JOIN LATERAL unnest(c.conkey, c.confkey) WITH ORDINALITY AS k (own, target, place)
  JOIN pg_catalog.pg_attribute AS a ON a.attrelid = o.oid AND a.attnum = k.own
  JOIN pg_catalog.pg_attribute AS b ON b.attrelid = t.oid AND b.attnum = k.target
WHERE c.contype = 'f'
ORDER BY c.oid, k.place
"""
)
_DEFINITIONS = (
    _OURS
    + """
SELECT o.nspname::text, o.relname::text, CASE o.relkind
  WHEN 'f' THEN coalesce(array_to_string(f.ftoptions, ' '), '') ELSE pg_get_viewdef(o.oid) END
FROM ours AS o LEFT JOIN pg_catalog.pg_foreign_table AS f ON f.ftrelid = o.oid
WHERE o.relkind IN ('v', 'm', 'f')
"""
)
_PARENTS = (
    _OURS
    + """
SELECT o.nspname::text, o.relname::text, p.relname::text
FROM ours AS o JOIN pg_catalog.pg_inherits AS i ON i.inhrelid = o.oid
  JOIN pg_catalog.pg_class AS p ON p.oid = i.inhparent
"""
)
_VIEWS = frozenset({"v", "m"})
_OWN_SCHEMA = "dragoman"
_NO_PERMISSION = "permission denied: this login may not read it"


def postgres_shape(reader: Reader, hidden_schemas: frozenset[str] = frozenset()) -> Shape:
    """Everything but the schemas that belong to a service, and our own."""
    default = text_of(catalog_rows(reader, _DEFAULT)[0][0])
    hidden = (hidden_schemas | {_OWN_SCHEMA}) - {default}

    def place_of(schema: Value, name: Value) -> Place:
        told = text_of(schema)
        return ("" if told == default else told), text_of(name)

    draft = Draft()
    for schema, name, kind, rows, readable, comment in catalog_rows(reader, _TABLES):
        if text_of(schema) in hidden:
            continue
        is_view = text_of(kind) in _VIEWS
        # A plain view is never counted: its figure is always nought.
        estimate = None if text_of(kind) == "v" else count_of(rows)
        place = place_of(schema, name)
        draft.table(place, TableKind.VIEW if is_view else TableKind.TABLE, estimate, text_of(comment))
        if not readable:
            draft.skip(place, _NO_PERMISSION)
    for schema, name, text in catalog_rows(reader, _DEFINITIONS):
        draft.definition(place_of(schema, name), text_of(text))
    for schema, name, parent in catalog_rows(reader, _PARENTS):
        draft.parent(place_of(schema, name), text_of(parent))
    for row in catalog_rows(reader, _COLUMNS):
        draft.column(place_of(row[0], row[1]), _column(row))
    listed = (
        (place_of(schema, name), (text_of(domain) or column, options))
        for schema, name, domain, check in catalog_rows(reader, _CHECKS)
        for column, options in options_in_check(text_of(check), Dialect.POSTGRES)
    )
    for (place, column), options in together(listed).items():
        draft.options(place, column, options)
    unique: dict[str, list[tuple[Value, ...]]] = defaultdict(list)
    for row in catalog_rows(reader, _UNIQUE):
        unique[text_of(row[2])].append(row)
    for parts in unique.values():
        place, columns = place_of(parts[0][0], parts[0][1]), [text_of(part[4]) for part in parts]
        if parts[0][3]:
            draft.primary_key(place, columns)
        else:
            draft.unique_key(place, columns)
    foreign: dict[str, list[tuple[Value, ...]]] = defaultdict(list)
    for row in catalog_rows(reader, _FOREIGN):
        foreign[text_of(row[2])].append(row)
    for parts in foreign.values():
        target_schema, target = place_of(parts[0][4], parts[0][5])
        own, theirs = tuple(text_of(part[3]) for part in parts), tuple(text_of(part[6]) for part in parts)
        draft.foreign_key(place_of(parts[0][0], parts[0][1]), ForeignKey(own, target, theirs, target_schema))
    return draft.finish()


def _column(row: tuple[Value, ...]) -> ColumnInfo:
    native, root, category = text_of(row[3]), text_of(row[4]), text_of(row[5])
    kind = ValueType.TEXT if category == "e" else value_type(Dialect.POSTGRES, root)
    words = tuple(decoded(text_of(row[8]), list[str])) if row[8] is not None else ()
    return ColumnInfo(
        text_of(row[2]),
        kind,
        native,
        not row[6],
        comment=text_of(row[7]),
        samples=words,
        options=words,
        formula=text_of(row[9]),
    )

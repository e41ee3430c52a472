"""A first pack for a database, for a person to edit.

It says what questions are understood by already: names, labels, amounts, verbs of dates, metrics. All of that
is asked of the planner that reads questions, so a draft that nobody has edited changes no answer.
"""

from collections.abc import Iterator

from dragoman.contracts.schema import DatabaseSchema
from dragoman.databases.values import ValueIndex
from dragoman.language.program_names import kebab_of
from dragoman.packs.pack_draft import chosen_tables, drafted_verbs, is_writable, title_of
from dragoman.packs.yaml_text import quoted
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.planning.first_pack.foreign_names import ForeignNames
from dragoman.planning.first_pack.guessed_metrics import guessed_metrics, metric_lines
from dragoman.planning.first_pack.table_text import TableText
from dragoman.tables.catalog import TableCatalog


def first_pack(schema: DatabaseSchema, name: str, *, connection: str = "", verbs: bool = False) -> str:
    """The YAML of a pack, with a comment on every guess. `connection`: whose database it is, where that has
    to be said. With `verbs` it has entities and verbs of its own
    too: those are asked before the tables are, so they may answer what the tables would answer better."""
    chosen = chosen_tables(schema)
    planner = QuestionPlanner(TableCatalog(schema), schema, ValueIndex(()))
    parts = [
        _head(schema, name, connection, len(chosen)),
        "\n".join(_tables(schema, planner)),
        "\n".join(metric_lines(guessed_metrics(planner))),
        drafted_verbs(schema) if verbs else "",
        _TAIL if verbs else _TAIL_WITHOUT_VERBS,
    ]
    return "\n".join(part for part in parts if part)


def _tables(schema: DatabaseSchema, planner: QuestionPlanner) -> Iterator[str]:
    graph = planner.things.graph
    tables = [graph.tables[info.schema, info.name] for info in chosen_tables(schema)]
    if not tables:
        yield "# There are no tables.\ntables: {}"
        return
    yield "tables:"
    text = TableText(planner.knowledge, ForeignNames(planner))
    for table in tables:
        yield from text.lines(table)
    yield ""


def _head(schema: DatabaseSchema, name: str, connection: str, tables: int) -> str:
    left_out = len(schema.tables) - tables
    more = f"# {left_out} tables are left out: this is a beginning, not an inventory.\n" if left_out else ""
    return (
        "# A draft, made from the schema alone: this is how questions are understood as long as nobody says\n"
        "# otherwise. Mend what is wrong and add the words that people use. GUESS and FILL IN are where a\n"
        "# person has to decide; what you remove is guessed again.\n"
        "# Check it with: dragoman pack check FILE\n"
        f"{more}"
        f"pack: {kebab_of(name)}\n"
        f"title: {{en: {quoted(title_of(name) if is_writable(name) else 'Pack')}}}  # FILL IN: ru, ko\n"
        f"dialect: {schema.dialect.value}\n" + (f"connection: {quoted(connection)}\n" if connection else "")
    )


_RULES = """# FILL IN: who may see what.
# policies:
#   - {table: people, unless: [hr], hide: [salary]}
"""
_TAIL_WITHOUT_VERBS = f"""# Verbs with SQL of your own: dragoman pack draft --verbs writes some to begin with.
{_RULES}"""
_TAIL = f"""# FILL IN: what is loaded, from when until when.
# coverage:
#   - {{domain: orders, start: 2024-01-01, end: 2024-12-31, status: full}}
{_RULES}"""

"""`dragoman transitions` and `dragoman schema`: print what is declared."""

import json

import click

from dragoman.cli.options import json_option
from dragoman.cli.reference import documents, mermaid, phase_picture, plain_text, schemas, transition_picture
from dragoman.workspace.declarations import AT_REST, ERRORS, PHASE_EDGES, REGISTRY


@click.command()
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "mermaid", "svg"]),
    default="text",
    show_default=True,
    help="The output format.",
)
@click.option(
    "--table",
    type=click.Choice(documents.TABLES),
    help="Which table. Default: both; as a diagram, the transitions.",
)
@json_option
def transitions(form: str, table: str | None, as_json: bool) -> None:
    """Show the declared transitions and the phases of a program."""
    if as_json or form == "json":
        tables = documents.TABLES if table is None else (table,)
        document = documents.tables_document(REGISTRY, PHASE_EDGES, AT_REST, tables)
        click.echo(_json(document, compact=as_json), nl=False)
    else:
        click.echo(_rendered(form, table), nl=False)


def _rendered(form: str, table: str | None) -> str:
    match form, table:
        case "text", None:
            return f"{_rendered('text', 'transitions')}\n\n{_rendered('text', 'phases')}"
        case "text", "phases":
            return plain_text.phases_text(PHASE_EDGES, AT_REST)
        case "text", _:
            return plain_text.transitions_text(REGISTRY)
        case "mermaid", "phases":
            return mermaid.phases_mermaid(PHASE_EDGES, AT_REST, ERRORS)
        case "mermaid", _:
            return mermaid.transitions_mermaid(REGISTRY)
        case _, "phases":
            return phase_picture.phases_svg(PHASE_EDGES, AT_REST, ERRORS)
        case _:
            return transition_picture.transitions_svg(REGISTRY)


@click.command()
@click.argument("name", required=False)
@json_option
def schema(name: str | None, as_json: bool) -> None:
    """Print the JSON Schema of every state object and event, or only of NAME.

    NAME is a class (SessionState, TurnOpened), the kind of an event (turn_opened) or the shape of an answer
    (status_v1_json).
    """
    document = schemas.schema_of(name) if name is not None else schemas.schema_document()
    click.echo(_json(document, compact=as_json), nl=False)


def _json(document: object, *, compact: bool) -> str:
    return json.dumps(document, ensure_ascii=False, indent=None if compact else 2) + "\n"

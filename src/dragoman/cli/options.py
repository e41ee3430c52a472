"""The options that most commands share."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from dragoman.cli.failures import printable

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_F = TypeVar("_F", bound=Callable[..., Any])

workspace_option = click.option(
    "--workspace",
    "-w",
    envvar="DRAGOMAN_WORKSPACE",
    default=".",
    metavar="DIR",
    help="The workspace folder. Default: this folder.",
)


def workspace_options(function: _F) -> _F:
    """--workspace and --store: which folder, and where its sessions are kept."""
    function = click.option(
        "--store",
        envvar="DRAGOMAN_STORE",
        metavar="URL",
        help="Keep sessions in this PostgreSQL database instead (postgresql://…).",
    )(function)
    return click.option(
        "--workspace",
        "-w",
        envvar="DRAGOMAN_WORKSPACE",
        default=".",
        metavar="DIR",
        help="The workspace folder; its sessions are under DIR/.dragoman. Default: this folder.",
    )(function)


def connection_option(function: _F) -> _F:
    return click.option(
        "--connection",
        metavar="NAME",
        help="Ask only this database of the workspace; in a message, @NAME does the same.",
    )(function)


def told(line: str) -> None:
    """A line for a person beside the answer, on standard error."""
    click.secho(printable(line), dim=True, err=True)


def operator_option(function: _F) -> _F:
    return click.option(
        "--as-operator",
        is_flag=True,
        help="Act past the policies of the workspace. This is put on record.",
    )(function)


def json_option(function: _F) -> _F:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document, stable in shape.")(
        function
    )


def files(ctx: click.Context, parameter: click.Parameter, typed: str) -> "list[CompletionItem]":
    """For a shell: any file may stand here."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(typed, type="file")]

"""The options that most commands share."""

from collections.abc import Callable
from typing import Any, TypeVar

import click

_F = TypeVar("_F", bound=Callable[..., Any])


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


def json_option(function: _F) -> _F:
    return click.option("--json", "as_json", is_flag=True, help="Print one JSON document, stable in shape.")(
        function
    )

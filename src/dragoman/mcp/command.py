"""`dragoman mcp`: Dragoman as tools for other agents."""

import asyncio
import json
import os
import secrets
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click

from dragoman.contracts.errors import ExtraMissing, TokenRefused
from dragoman.workspace.gated import GatedWorkspace

TOKEN_VARIABLE: Final = "DRAGOMAN_MCP_TOKEN"  # noqa: S105 - its name, not the token
_FEWEST_LETTERS: Final = 16
_MOST_BYTES: Final = 4_096


@click.command()
@click.option("--http", is_flag=True, help="Serve streamable HTTP on loopback. Default: stdin and stdout.")
@click.option("--port", type=click.IntRange(0, 65_535), default=8_765, show_default=True, help="With --http.")
@click.option(
    "--token-file",
    type=click.Path(dir_okay=False, path_type=Path),
    help=f"With --http: the bearer token. Default: {TOKEN_VARIABLE}, or a new one, which is printed.",
)
@click.option("--allow-writes", is_flag=True, help="Let clients write what they name by its digest.")
@click.option(
    "--workspace",
    "-w",
    envvar="DRAGOMAN_WORKSPACE",
    default=".",
    metavar="DIR",
    help="The workspace folder. Default: this folder.",
)
@click.option("--store", envvar="DRAGOMAN_STORE", metavar="URL", help="Keep sessions in PostgreSQL.")
@click.option("--json", "as_json", is_flag=True, help="With --http: print address and token as JSON.")
def mcp(
    http: bool,
    port: int,
    token_file: Path | None,
    allow_writes: bool,
    workspace: str,
    store: str | None,
    as_json: bool,
) -> None:
    """Serve the workspace to other agents, over the Model Context Protocol.

    Clients ask, resolve, check, compile, run, discover and explain. They only read, unless --allow-writes.
    """
    if not http and (token_file is not None or as_json):
        raise click.UsageError("--token-file and --json go with --http")
    if find_spec("mcp") is None:
        raise ExtraMissing(
            "dragoman mcp needs packages that are not installed", hint="pip install 'dragoman[mcp]'"
        )
    token = _token(token_file) if http else ""
    # Imported for this command alone.
    from dragoman.mcp.server import Door

    with GatedWorkspace.open(workspace, store=store) as opened:
        opened.allow_writes = allow_writes
        if not http:
            from dragoman.mcp.stdio import serve_stdio

            if sys.stdin.isatty():
                click.echo("waiting for a client on stdin, as docs/mcp.md says; Ctrl-C ends it", err=True)
            asyncio.run(serve_stdio(Door(opened)))
            return
        from dragoman.mcp.http import HOST, PATH, listening, serve_http

        with listening(port) as listener:
            address = f"http://{HOST}:{listener.getsockname()[1]}{PATH}"
            _tell(address, token, own=token_file is not None or TOKEN_VARIABLE in os.environ, as_json=as_json)
            asyncio.run(serve_http(Door(opened), listener, token))


def _token(file: Path | None) -> str:
    """The token of whoever starts the server, or a new one for this time."""
    if file is None and TOKEN_VARIABLE not in os.environ:
        return secrets.token_urlsafe(32)
    said = os.environ[TOKEN_VARIABLE] if file is None else _first_bytes(file)
    token = said.strip()
    if len(token) < _FEWEST_LETTERS or not token.isascii() or not token.isprintable() or " " in token:
        raise TokenRefused(
            f"a token is at least {_FEWEST_LETTERS} visible ASCII characters without blanks",
            hint="openssl rand -hex 32 makes a good one",
        )
    return token


def _first_bytes(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            return opened.read(_MOST_BYTES).decode("ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise TokenRefused(f"{file} cannot be read as a token: {error}", hint="name another file") from error


def _tell(address: str, token: str, *, own: bool, as_json: bool) -> None:
    """Where it listens. A token is printed where it is new: nobody else knows it."""
    if as_json:
        click.echo(json.dumps({"address": address, **({} if own else {"token": token})}))
    else:
        click.echo(f"listening on {address}")
        click.echo("with the token you gave" if own else f"token, for this time: {token}")
    sys.stdout.flush()

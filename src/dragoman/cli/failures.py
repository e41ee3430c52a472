"""How a command fails: a code, what is wrong, what to do, an exit code that means something.

0 done · 1 refused · 2 wrong usage · 3 conflict, try again · 4 the store · 5 what is stored ·
70 a defect of ours · 74 the output could not be written · 130 interrupted
"""

import io
import json
import os
import sys
import traceback
from types import TracebackType

import click

from dragoman.contracts.errors import DragomanError, InternalError, MemoryLimitExceeded

INTERRUPTED = 130
OUTPUT_FAILED = 74
DEFECT = 70
BROKEN_PIPE = 141

_INTERRUPTED = {
    "code": "interrupted",
    "message": "interrupted, or not confirmed",
    "hint": "",
    "details": {},
}


def report_defect(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """The last resort, for unexpected errors: the whole traceback, and the exit code of a bug."""
    sys.stderr.write(_without_secrets("".join(traceback.format_exception(kind, error, trace))))
    sys.stderr.write("error [internal_error]: this is a defect of Dragoman: please report the lines above\n")
    if "--json" in sys.argv:
        sys.stdout.write(
            '{"error": {"code": "internal_error", "message": "a defect", "hint": "", "details": {}}}\n'
        )
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(DEFECT)


def run_guarded(command: click.Command, arguments: list[str]) -> int:
    try:
        # Not in standalone mode an exit code is returned and not raised.
        outcome = command.main(args=arguments, prog_name="dragoman", standalone_mode=False)
    except DragomanError as error:
        tell(error, as_json="--json" in arguments)
        return _code_of(error, arguments)
    except MemoryError:
        tell(MemoryLimitExceeded(), as_json="--json" in arguments)
        return MemoryLimitExceeded.exit_code
    except click.exceptions.Exit as done:
        return done.exit_code
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        click.echo(_without_secrets(said.getvalue()), nl=False, err=True)
        return error.exit_code
    except (KeyboardInterrupt, click.Abort):
        if "--json" in arguments:
            click.echo(json.dumps({"error": _INTERRUPTED}))
        else:
            click.echo("interrupted", err=True)
        return INTERRUPTED
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            # The reader of our output left. Python would complain once more while closing it.
            sys.stderr.close()
            return BROKEN_PIPE
        click.echo(f"error [output_failed]: {error.strerror}; what was asked for was done", err=True)
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - Python would fail once more while closing it
        return OUTPUT_FAILED
    return outcome if isinstance(outcome, int) else 0


def _code_of(error: DragomanError, arguments: list[str]) -> int:
    # Only a call that fails asks which codes it was to have.
    from dragoman.cli.exit_codes import of_error, wanted

    return of_error(error) if wanted(arguments) else error.exit_code


def as_object(error: DragomanError) -> dict[str, object]:
    from dragoman.workspace.guards import scrubbed, scrubbed_value

    return {
        "error": {
            "code": error.code,
            "message": scrubbed(error.message),
            "hint": scrubbed(error.hint),
            "details": scrubbed_value(dict(error.details)),
        }
    }


def tell(error: DragomanError, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(as_object(error), ensure_ascii=False))
        return
    click.echo(f"error [{error.code}]: {printable(_without_secrets(error.message))}", err=True)
    if error.hint:
        click.echo(f"  {printable(_without_secrets(error.hint))}", err=True)
    if isinstance(error, InternalError):
        click.echo(f"  trace: {error.details.get('trace_id')}", err=True)


def _without_secrets(text: str) -> str:
    # A command that does not fail need not wait for the finder.
    from dragoman.workspace.guards import scrubbed

    return scrubbed(text)


def printable(text: str) -> str:
    """Text that cannot move the cursor or recolour a terminal, whatever a message contained."""
    return "".join(c if c.isprintable() or c == "\n" else f"\\u{ord(c):04x}" for c in text)


def warn(message: str) -> None:
    """What does not stop the command: on standard error, beside the result."""
    click.echo(printable(message), err=True)

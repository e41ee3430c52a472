"""Whoever acts as an operator: past the policies, on the command line only, and on record."""

import datetime as dt
import getpass
from pathlib import Path

import msgspec

from dragoman.catalog.settings import read_settings
from dragoman.contracts.errors import OperatorForbidden
from dragoman.contracts.places import OPERATOR_FILE, SETTINGS_FILE, STATE_FOLDER
from dragoman.contracts.record import Record


class OperatorAct(Record, frozen=True):
    """One command that was run past the policies."""

    at: str
    user: str
    command: str
    about: str


def act_as_operator(folder: Path, command: str, about: str) -> None:
    """Put on record that a command is run as an operator, before it does anything. Raises `OperatorForbidden`
    where the workspace does not allow it, and where it cannot be put on record."""
    if not read_settings(folder).allow_operator:
        raise OperatorForbidden(
            f"{SETTINGS_FILE} of this workspace allows no operator",
            hint="leave out --as-operator, or set allow_operator: true",
        )
    act = OperatorAct(dt.datetime.now(dt.UTC).isoformat(timespec="seconds"), _user(), command, about)
    path = folder / STATE_FOLDER / OPERATOR_FILE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(msgspec.json.encode(act) + b"\n")
    except OSError as error:
        raise OperatorForbidden(
            f"{path} cannot be written, and nobody is an operator off the record: {error.strerror}",
            hint="make the folder writable",
        ) from error


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        # Some containers run under a number that has no name.
        return ""

"""A process that reads the values of one database and keeps them, while questions are asked and answered.

It belongs to nobody: a command that sent it has usually ended before it has. Its limits end it, and its lock
sees to it that there is one for each database.
"""

import os
import sys
from pathlib import Path

_NICENESS = 10


def main() -> None:
    home, name = sys.argv[1:]
    # Whoever sent it goes on at once, and is left with no child to wait for.
    if os.fork():
        os._exit(0)
    os.setsid()
    # Whoever asks a question meanwhile comes first.
    os.nice(_NICENESS)
    # Imported behind the fork: the one that is waited for ends before.
    from dragoman.contracts.errors import DragomanError

    try:
        build(Path(home), name)
    except DragomanError as error:
        sys.exit(f"{error.code}: {error.message}")


def build(home: Path, name: str) -> None:
    """Read and keep, unless another process does or has. Raises a `DragomanError` where the database cannot
    be read, or nothing kept."""
    from dragoman.catalog.catalog import Catalog
    from dragoman.contracts.errors import WorkspaceError
    from dragoman.databases.connections import open_connection, resolve
    from dragoman.databases.values import IN_BACKGROUND, origin_of, read_columns
    from dragoman.workspace.database_values import kept_values

    catalog = Catalog(home)
    spec = catalog.connection_named(name)
    schema = None if spec is None else catalog.visible_schema(spec)
    # Values that are not for everybody are not kept.
    if spec is None or schema is None or catalog.has_policies(spec):
        return
    connection = resolve(spec, home)
    origin = origin_of(connection)
    file = kept_values(home, schema, origin)
    with file.lock() as is_mine:
        kept = file.load()
        is_done = kept is not None and kept.reading.whole and not file.is_due(kept, origin)
        if not is_mine or is_done:
            return
        with open_connection(connection) as reader:
            reading = read_columns(reader, schema, IN_BACKGROUND)
        if file.store(origin, reading, in_background=True) is None:
            raise WorkspaceError("the values cannot be kept", hint="make room in .dragoman/values")
        # Nothing went wrong that somebody would look for.
        file.trouble.unlink(missing_ok=True)


if __name__ == "__main__":
    main()

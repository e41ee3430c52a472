"""Where a workspace is, and where its sessions are kept: SQLite in the folder, or PostgreSQL behind a URL."""

import os
from pathlib import Path

from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.places import STATE_FOLDER
from dragoman.session.stores.memory import MemoryStore
from dragoman.session.stores.protocol import SessionStore


def open_store(folder: Path, url: str | None, *, create: bool = True) -> SessionStore:
    """The store of a workspace: PostgreSQL behind a URL, otherwise SQLite in the folder."""
    url = url or os.environ.get("DRAGOMAN_STORE") or None
    if url is None:
        from dragoman.session.stores.sqlite import open_sqlite_store

        file = folder / STATE_FOLDER / "sessions.sqlite"
        return open_sqlite_store(file) if create or file.exists() else MemoryStore()
    if not url.startswith(("postgresql://", "postgres://")):
        raise WorkspaceError(
            "the store's URL does not begin with postgresql://",
            hint="leave it out to keep sessions in the workspace folder",
        )
    from dragoman.session.stores.postgres import open_postgres_store

    return open_postgres_store(url)


def workspace_folder(name: str | Path) -> Path:
    """The folder of a workspace, which need not exist yet. Raises `WorkspaceError`."""
    try:
        root = Path(name).resolve()
        fine = not root.exists() or root.is_dir()
        state = root / STATE_FOLDER
        fine = fine and (not os.path.lexists(state) or state.is_dir())
    except (OSError, RuntimeError, ValueError) as error:
        raise WorkspaceError(
            f"the workspace {str(name)[:200]!r} cannot be opened: {error}",
            hint="name a folder with --workspace",
        ) from error
    if not fine:
        raise WorkspaceError(
            f"{root} is not a folder, or its {STATE_FOLDER} is none", hint="name a folder with --workspace"
        )
    return root

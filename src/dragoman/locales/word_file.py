"""A YAML file of a language, kept in read form beside Python's own compiled modules.

Reading YAML was a seventh of the CPU of a first question. What was read is kept as Python keeps modules: in
`__pycache__` (or under PYTHONPYCACHEPREFIX), for this version of Python, for the size and time of the file it
was made from, written under another name and renamed. Where that is not allowed, or the file is no file of a
folder, the YAML is read each time.
"""

import contextlib
import importlib.util
import marshal
import os
import sys
import tempfile
from collections.abc import Mapping
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Final

_FORMAT: Final = 1
"""Raised whenever the same YAML would be read otherwise."""

Stamp = tuple[int, int, int]


def read_words(file: Traversable, *, as_text: bool) -> Mapping[str, Any]:
    """The file as YAML has it; with `as_text` every scalar is text: `no` and `off` are words then."""
    if not isinstance(file, Path):
        return _parsed(file.read_text(encoding="utf-8"), as_text=as_text)
    kept = _kept_file(file, as_text=as_text)
    stamp = _stamp(file)
    found = None if kept is None else _kept(kept, stamp)
    if found is None:
        found = _parsed(file.read_text(encoding="utf-8"), as_text=as_text)
        # A file that was changed while it was read is read again next time.
        if kept is not None and not sys.dont_write_bytecode and _stamp(file) == stamp:
            _keep(kept, stamp, found)
    return found


def _parsed(text: str, *, as_text: bool) -> Mapping[str, Any]:
    # Whoever finds the words read already needs no reader.
    import yaml

    loader = yaml.CBaseLoader if as_text else yaml.CSafeLoader
    found: Mapping[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 - both loaders are safe
    return found


def _stamp(file: Path) -> Stamp:
    status = file.stat()
    return (_FORMAT, status.st_size, status.st_mtime_ns)


def _kept_file(file: Path, *, as_text: bool) -> Path | None:
    try:
        compiled = Path(importlib.util.cache_from_source(str(file)))
    except NotImplementedError:
        return None
    return compiled.with_name(f"{file.name}.{sys.implementation.cache_tag}.{'text' if as_text else 'data'}")


def _kept(kept: Path, stamp: Stamp) -> Mapping[str, Any] | None:
    try:
        made_from, found = marshal.loads(kept.read_bytes())  # noqa: S302 - as trusted as the modules beside it
    except (OSError, EOFError, ValueError, TypeError):
        return None
    return found if made_from == stamp and isinstance(found, dict) else None


def _keep(kept: Path, stamp: Stamp, found: Any) -> None:
    # What marshal does not know (a date) and where nobody may write: then it is read anew each time.
    with contextlib.suppress(OSError, ValueError):
        data = marshal.dumps((stamp, found))
        kept.parent.mkdir(parents=True, exist_ok=True)
        number, draft = tempfile.mkstemp(prefix=f"{kept.name}.", dir=kept.parent)
        try:
            with os.fdopen(number, "wb") as opened:
                opened.write(data)
            # As readable as the file that it was made of: another user may run the same installation.
            os.chmod(draft, 0o644)
            os.replace(draft, kept)
        except OSError:
            with contextlib.suppress(OSError):
                os.unlink(draft)

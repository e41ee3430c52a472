"""Which families there are. Whoever needs one finds it here: by its name, by a URL, by a file.

Our own are looked at before those of other packages: to ask which packages are installed takes longer than
all the rest, and is only done when nothing here fits.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from importlib.resources import files
from pathlib import Path

from dragoman._offers import offers
from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.family import ENTRY_POINTS, Family

HEAD_BYTES = 16

_HOME = "dragoman.databases.families"
_RECORD = "family"
_registered: dict[str, Family] = {}


def families() -> tuple[Family, ...]:
    """All of them: our own, those of other packages, and those that were registered."""
    return (*_own(), *_offered(), *_registered.values())


def own_families() -> tuple[Family, ...]:
    """Those that this package brings."""
    return _own()


def outside_families() -> tuple[Family, ...]:
    """Those that are not in this package."""
    return (*_offered(), *_registered.values())


def family(name: str) -> Family:
    """The family of a name that a connection or a stored schema has. Raises `WorkspaceError`."""
    found = family_named(name)
    if found is None:
        known = ", ".join(each.name for each in families())
        raise WorkspaceError(
            f"there is no family {name}", hint=f"there are {known}; perhaps a package is not installed"
        )
    return found


def family_named(name: str) -> Family | None:
    """A family by its name or another spelling of it."""
    return family_that(lambda each: name == each.name or name in each.spellings)


def family_of_scheme(scheme: str) -> Family | None:
    return family_that(lambda each: scheme in each.schemes)


def family_of_ending(ending: str) -> Family | None:
    return family_that(lambda each: ending in each.endings)


def family_of_folders() -> Family | None:
    return family_that(lambda each: each.holds_folders)


def family_of_file(path: Path) -> Family | None:
    """What a file holds, by its first bytes; a folder holds files."""
    head = head_of(path)
    return None if head is None else family_that(lambda each: each.recognizes(path, head))


def head_of(path: Path) -> bytes | None:
    """The first bytes of a file, none of a folder's; None where there is neither."""
    try:
        if path.is_dir():
            return b""
        if not path.is_file():
            return None
        with path.open("rb") as file:
            return file.read(HEAD_BYTES)
    except (OSError, ValueError):
        return None


def address_of(scheme: str, rest: str) -> ConnectionSpec | None:
    """What a URL means to a family that knows such addresses beside its own schemes."""
    found = (each.address(scheme, rest) for each in _known())
    return next((spec for spec in found if spec is not None), None)


def names() -> tuple[str, ...]:
    """Every spelling of every family's name, for whoever lists them."""
    return tuple(name for each in families() for name in (each.name, *each.spellings))


def register_family(record: Family) -> None:
    """Make a family known in this process. Raises `WorkspaceError` where one of its names is taken."""
    _refuse_taken(record, families())
    _registered[record.name] = record


def remove_family(name: str) -> None:
    """Forget a family that was registered."""
    _registered.pop(name, None)


@contextmanager
def registered(record: Family) -> Iterator[Family]:
    """A family that is known for a while."""
    register_family(record)
    try:
        yield record
    finally:
        remove_family(record.name)


def family_that(fits: Callable[[Family], bool]) -> Family | None:
    """The first family that fits."""
    return next((each for each in _known() if fits(each)), None)


def _known() -> Iterator[Family]:
    yield from _own()
    yield from _registered.values()
    yield from _offered()


@cache
def _own() -> tuple[Family, ...]:
    """A folder beside this module with a family.py is a family."""
    folders = sorted(each.name for each in files(_HOME).iterdir() if each.joinpath(f"{_RECORD}.py").is_file())
    return tuple(import_module(f"{_HOME}.{name}.{_RECORD}").FAMILY for name in folders)


@cache
def _offered() -> tuple[Family, ...]:
    found: list[Family] = []
    for point in offers(ENTRY_POINTS):
        try:
            record = point.load()
        except (ImportError, AttributeError) as error:
            raise WorkspaceError(
                f"the family {point.name} of another package cannot be loaded: {error}",
                hint=f"mend or remove the package that offers {point.value}",
            ) from error
        if not isinstance(record, Family):
            raise WorkspaceError(
                f"what is offered as the family {point.name} is not a Family", hint="see docs/extending.md"
            )
        _refuse_taken(record, (*_own(), *found))
        found.append(record)
    return tuple(found)


def _refuse_taken(record: Family, others: tuple[Family, ...]) -> None:
    """Two families with one name, scheme, ending or verb: it would be a matter of luck which is meant."""
    for other in others:
        taken = _marks(record) & _marks(other)
        if taken:
            raise WorkspaceError(
                f"the family {record.name} claims {', '.join(sorted(taken))}, which belongs to {other.name}",
                hint="give it names of its own",
            )


def _marks(record: Family) -> set[str]:
    schemes = (f"{scheme}:" for scheme in record.schemes)
    verbs = (verb for verb, _ in record.components)
    folders = ("folders",) if record.holds_folders else ()
    return {record.name, *record.spellings, *schemes, *record.endings, *verbs, *folders}

"""The packs of a workspace: the files of its `packs/` folder, and what programs call what is in them."""

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path

from dragoman.contracts.errors import WorkspaceError
from dragoman.contracts.pack import Pack, PackEntity, PackVerb
from dragoman.contracts.places import LEARNED_FILE, PACKS_FOLDER
from dragoman.contracts.record import Record
from dragoman.contracts.verb import VerbSignature
from dragoman.packs.pack_files import FILE, read_pack
from dragoman.packs.signatures import pack_signature

FOLDER = PACKS_FOLDER


class LeftOut(Record, frozen=True):
    """A part of a pack that is not used, and why."""

    what: str
    why: str
    has_policies: bool = False
    """Whether it says, or may say, who may see what."""


class OwnedVerb(Record, frozen=True):
    """A verb, and the pack that declares it."""

    pack: Pack
    verb: PackVerb


class OwnedEntity(Record, frozen=True):
    """An entity type, the pack that declares it, and its name there."""

    pack: Pack
    kind: str
    entity: PackEntity


class InstalledPacks:
    """Packs put together. What two of them declare belongs to the first, in the order of their files; an
    entity type that is taken is called `pack.type`."""

    def __init__(self, packs: tuple[Pack, ...], left_out: tuple[LeftOut, ...] = ()) -> None:
        self.packs = packs
        self._unread = left_out

    @cached_property
    def entities(self) -> Mapping[str, OwnedEntity]:
        found: dict[str, OwnedEntity] = {}
        for pack in self.packs:
            for kind, entity in pack.entities.items():
                name = kind if kind not in found else f"{pack.pack}.{kind}"
                found[name] = OwnedEntity(pack, kind, entity)
        return found

    @cached_property
    def verbs(self) -> Mapping[str, OwnedVerb]:
        found: dict[str, OwnedVerb] = {}
        for pack in self.packs:
            for name, verb in pack.verbs.items():
                found.setdefault(name, OwnedVerb(pack, verb))
        return found

    @property
    def left_out(self) -> tuple[LeftOut, ...]:
        """What is not used: packs that cannot be read, and verbs that another pack has already."""
        taken = (
            LeftOut(
                f"{name} of the pack {pack.pack}", f"the pack {self.verbs[name].pack.pack} has it already"
            )
            for pack in self.packs
            for name in pack.verbs
            if self.verbs[name].pack is not pack
        )
        return (*self._unread, *taken)

    @cached_property
    def signatures(self) -> Mapping[str, VerbSignature]:
        """What each verb takes."""
        return {
            name: pack_signature(name, owned.verb, partial(self.entity_name, owned.pack))
            for name, owned in self.verbs.items()
        }

    def seen_through(self, view: Callable[[Pack], Pack]) -> "InstalledPacks":
        """The same packs, each as somebody sees it."""
        seen = tuple(map(view, self.packs))
        same = all(one is other for one, other in zip(seen, self.packs, strict=True))
        return self if same else InstalledPacks(seen, self._unread)

    def refuse_lost_policies(self) -> None:
        """Raises `WorkspaceError` where a pack that is left out may have policies: without them more would be
        seen than its author meant."""
        lost = next((each for each in self._unread if each.has_policies), None)
        if lost is not None:
            raise WorkspaceError(
                f"{lost.what} has policies, and cannot be used: {lost.why}",
                hint="mend the pack, or move it out of the folder; until then nothing is shown",
            )

    def entity_name(self, pack: Pack, kind: str) -> str:
        """What programs call an entity type of a pack."""
        qualified = f"{pack.pack}.{kind}"
        return qualified if qualified in self.entities else kind


def installed_packs(folder: Path) -> InstalledPacks:
    """The packs of a workspace. One that cannot be read is left out, and said to be."""
    packs: dict[str, Pack] = {}
    left_out: list[LeftOut] = []
    for path in pack_files(folder):
        shown = str(path.relative_to(folder))
        try:
            pack = read_pack(path)
        except WorkspaceError as error:
            left_out.append(LeftOut(shown, error.message, _may_have_policies(path)))
            continue
        if not isinstance(pack, Pack):
            why = f"dragoman pack check {shown} says what is wrong"
            left_out.append(LeftOut(shown, why, _may_have_policies(path)))
        elif pack.pack in packs:
            left_out.append(LeftOut(shown, f"there is a pack {pack.pack} already", bool(pack.policies)))
        else:
            packs[pack.pack] = pack
    return InstalledPacks(tuple(packs.values()), tuple(left_out))


def _may_have_policies(path: Path) -> bool:
    """Whether a file that is no good pack was meant to have policies; if it cannot be read, it may. What
    stands in lines of comments was not."""
    try:
        lines = path.read_bytes().splitlines()
        return any(b"policies" in line and not line.lstrip().startswith(b"#") for line in lines)
    except OSError:
        return True


def pack_files(folder: Path) -> list[Path]:
    """`packs/*.yaml` and `packs/*/pack.yaml`."""
    root = folder / FOLDER
    found = {*root.glob("*.yaml"), *root.glob("*.yml"), *root.glob(f"*/{FILE}")}
    return sorted(found - {root / LEARNED_FILE})

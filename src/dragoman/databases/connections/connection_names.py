"""Connections by their names: `@family.alias`, `@alias`, `@default`."""

from collections.abc import Iterable
from difflib import SequenceMatcher

from dragoman.contracts.connection import ConnectionSpec
from dragoman.contracts.errors import (
    ConnectionAmbiguous,
    ConnectionNotChosen,
    ConnectionsInvalid,
    ConnectionUnknown,
)
from dragoman.contracts.program import Diagnostic
from dragoman.contracts.record import Record
from dragoman.databases.families.registry import family_named
from dragoman.guards.secrets import redacted

SHOWN = 20


class Connections(Record, frozen=True):
    """What connections.yaml says: the connections without a mistake, the mistakes, and whose they are."""

    specs: tuple[ConnectionSpec, ...]
    diagnostics: tuple[Diagnostic, ...] = ()
    broken: tuple[str, ...] = ()

    def find(self, name: str) -> ConnectionSpec:
        """The connection of a name, with or without its @. Every error lists what there is."""
        plain = name.removeprefix("@")
        if plain == "default":
            return self._default()
        family, dot, alias = plain.rpartition(".")
        wanted = family_named(family) if dot else None
        found = [
            spec
            for spec in self.specs
            if spec.alias == alias and (not dot or (wanted is not None and spec.family == wanted.name))
        ]
        if len(found) == 1:
            return found[0]
        if found:
            names = [spec.name for spec in found]
            raise ConnectionAmbiguous(
                f"{_at(plain)} may be {' or '.join(names)}", hint="write the whole name", connections=names
            )
        if alias in self.broken:
            raise self._invalid(f"{_at(plain)} is written with a mistake")
        raise ConnectionUnknown(
            f"there is no connection {_at(plain)}", hint=self._there_is(plain), connections=self._names(plain)
        )

    def told_apart(self, spec: ConnectionSpec) -> str:
        """The shortest name that is only this connection's, without its @: the alias, unless two families
        have it."""
        shared = sum(each.alias == spec.alias for each in self.specs) > 1
        return spec.name.removeprefix("@") if shared else spec.alias

    def _default(self) -> ConnectionSpec:
        marked = [spec for spec in self.specs if spec.default]
        if len(marked) == 1:
            return marked[0]
        if len(self.specs) == 1 and not self.broken:
            return self.specs[0]
        if self.broken or (self.diagnostics and not self.specs):
            raise self._invalid("the default connection is not known")
        raise ConnectionNotChosen(
            "no connection is the default one",
            hint=f"write default: true in one of them; {self._there_is('')}",
            connections=self._names(""),
        )

    def _invalid(self, message: str) -> ConnectionsInvalid:
        said = [
            f"line {each.span.line}: {each.message}" if each.span else each.message
            for each in self.diagnostics
        ]
        hint = f"mend connections.yaml: {said[0]}" if said else "mend connections.yaml"
        return ConnectionsInvalid(message, hint=hint, findings=said[:SHOWN])

    def _there_is(self, near: str) -> str:
        names = self._names(near)
        if not names:
            return "connections.yaml has none yet; dragoman init DATABASE-URL writes the first"
        more = f" and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        return f"there are {', '.join(names[:SHOWN])}{more}"

    def _names(self, near: str) -> list[str]:
        return nearest_first(near, (spec.name for spec in self.specs))


def nearest_first(word: str, names: Iterable[str]) -> list[str]:
    """Names, the one that was probably meant before the others."""
    wanted = word[:80].lower()

    def distance(name: str) -> tuple[float, str]:
        alias = name.rpartition(".")[2]
        best = max(SequenceMatcher(None, wanted, each.lower()).ratio() for each in (name.lstrip("@"), alias))
        return -best, name

    return sorted(names, key=distance)


def _at(name: str) -> str:
    shown = redacted(f"@{name}")
    return shown[1:-1] if shown.startswith("'") else shown

"""The verbs of packs as planners and answers know them: signature, columns, words and coverage domain."""

from collections.abc import Mapping

from dragoman.catalog.cells import ScaledColumn, scaled_column
from dragoman.contracts.pack import DATE_ARGUMENTS, DateUse, Pack, PackVerb
from dragoman.contracts.record import Record
from dragoman.contracts.verb import Effect, VerbSignature
from dragoman.locales.registry import FALLBACK
from dragoman.packs.installed import InstalledPacks, OwnedVerb


class CatalogVerb(Record, frozen=True):
    """A verb of a pack, ready to be asked for."""

    signature: VerbSignature
    date_use: DateUse | None
    spec: PackVerb
    pack: Pack
    columns: tuple[ScaledColumn, ...]
    domain: str
    """The domain whose coverage holds for it."""
    date_argument: str
    """The argument that takes the date; empty where none does."""
    takes: Mapping[str, str]
    """For each kind of entity the argument that takes one."""
    needed: tuple[str, ...]
    """The entity arguments it cannot do without, as the pack declares them; not the object it is of."""

    def title(self, language: str) -> str:
        return self.spec.title.get(language) or self.signature.title

    def definition(self, language: str) -> str:
        """What its figure means: as the verb says, or a metric that it gives."""
        metrics = (metric for metric in self.pack.metrics.values() if metric.verb == self.signature.name)
        texts = self.spec.definition or next((metric.definition for metric in metrics), {})
        return texts.get(language) or texts.get(FALLBACK, "")


def read_verbs_of(packs: InstalledPacks) -> Mapping[str, CatalogVerb]:
    """Every verb of packs that reads."""
    return _verbs_of(packs, Effect.READ)


def write_verbs_of(packs: InstalledPacks) -> Mapping[str, CatalogVerb]:
    """Every verb of packs that writes."""
    return _verbs_of(packs, Effect.WRITE)


def _verbs_of(packs: InstalledPacks, effect: Effect) -> Mapping[str, CatalogVerb]:
    return {
        name: _catalog_verb(packs.signatures[name], owned)
        for name, owned in packs.verbs.items()
        if owned.verb.effect is effect
    }


def _catalog_verb(signature: VerbSignature, owned: OwnedVerb) -> CatalogVerb:
    """Everything that planners ask of a verb again and again, worked out once."""
    verb = owned.verb
    entities = {name: argument for name, argument in verb.arguments.items() if argument.entity}
    takes: dict[str, str] = {}
    for name, argument in entities.items():
        takes.setdefault(argument.entity, name)
    return CatalogVerb(
        signature,
        verb.date,
        verb,
        owned.pack,
        columns=tuple(scaled_column(column) for column in verb.columns),
        domain=verb.domain or signature.domain,
        date_argument=DATE_ARGUMENTS[verb.date] if verb.date is not None else "",
        takes=takes,
        needed=tuple(n for n, a in entities.items() if a.required and a.entity != verb.object),
    )

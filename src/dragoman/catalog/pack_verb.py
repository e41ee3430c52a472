"""The verbs of packs as planners and answers know them: signature, columns, words and coverage domain."""

from collections.abc import Mapping

from dragoman.catalog.cells import ScaledColumn, scaled_column
from dragoman.contracts.pack import DateUse, Pack, PackVerb
from dragoman.contracts.record import Record
from dragoman.contracts.verb import Effect, VerbSignature
from dragoman.locales.registry import FALLBACK
from dragoman.packs.installed import InstalledPacks


class CatalogVerb(Record, frozen=True):
    """A verb of a pack, ready to be asked for."""

    signature: VerbSignature
    date_use: DateUse | None
    spec: PackVerb
    pack: Pack
    columns: tuple[ScaledColumn, ...]

    @property
    def domain(self) -> str:
        """The domain whose coverage holds for it."""
        return self.spec.domain or self.signature.domain

    def title(self, language: str) -> str:
        return self.spec.title.get(language) or self.signature.title

    def definition(self, language: str) -> str:
        """What its figure means: as the verb says, or a metric that it gives."""
        metrics = (metric for metric in self.pack.metrics.values() if metric.verb == self.signature.name)
        texts = self.spec.definition or next((metric.definition for metric in metrics), {})
        return texts.get(language) or texts.get(FALLBACK, "")

    def argument_of(self, kind: str) -> str | None:
        """The argument that takes an entity of a kind."""
        return next((name for name, a in self.spec.arguments.items() if a.entity == kind), None)

    @property
    def needed(self) -> tuple[str, ...]:
        """The entity arguments it cannot do without, as the pack declares them; not the object it is of."""
        return tuple(
            name
            for name, argument in self.spec.arguments.items()
            if argument.entity and argument.required and argument.entity != self.spec.object
        )


def read_verbs_of(packs: InstalledPacks) -> Mapping[str, CatalogVerb]:
    """Every verb of packs that reads."""
    found = {}
    for name, owned in packs.verbs.items():
        signature = packs.signature(name)
        if signature is not None and owned.verb.effect is Effect.READ:
            columns = tuple(scaled_column(column) for column in owned.verb.columns)
            found[name] = CatalogVerb(signature, owned.verb.date, owned.verb, owned.pack, columns)
    return found

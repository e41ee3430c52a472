"""The models that a workspace may ask."""

from collections.abc import Mapping

from dragoman.contracts.connection import SecretText
from dragoman.contracts.model import ModelAttempt, ModelSpending, TurnPurse
from dragoman.contracts.model_settings import ModelsSettings
from dragoman.databases.connections.variables import variables_in
from dragoman.models.accounts import Totals, TurnAccount
from dragoman.models.chain import TurnModel, Watch
from dragoman.models.patience import Patience
from dragoman.models.provider import Provider
from dragoman.models.transport import NetworkTransport, Transports


class Models:
    """Opened once for a workspace; threads may share it. Keys stay in the environment until they are sent.

    `secrets` leave with no request, whatever they look like; the keys are always among them.
    """

    def __init__(
        self,
        settings: ModelsSettings,
        environment: Mapping[str, str],
        *,
        secrets: tuple[SecretText, ...] = (),
        transports: Transports = NetworkTransport,
        patience: Patience | None = None,
    ) -> None:
        self.settings = settings
        self._patience = patience or Patience()
        self._totals = Totals()
        keys = (environment.get(name, "") for each in settings.providers for name in variables_in(each.key))
        known = (*secrets, *(SecretText(key) for key in keys if key))
        self.providers = tuple(
            Provider(each, environment, send_values=settings.send_values, known=known, transports=transports)
            for each in settings.providers
        )

    def turn(self, watch: Watch | None = None, purse: TurnPurse | None = None) -> TurnModel:
        """A model with the budget of one turn. `watch` is told of every request; whoever has the same `purse`
        spends from the same budget."""
        if purse is None:
            return self._model(self.providers, watch)
        if not isinstance(purse.account, TurnAccount):
            purse.account = TurnAccount(self.settings)
        return self._model(self.providers, watch, purse.account)

    def only(self, name: str) -> TurnModel:
        """One provider alone. Raises `KeyError`."""
        named = {provider.name: provider for provider in self.providers}
        return self._model((named[name],), None)

    def close(self) -> None:
        """End what runs for them on this machine; it begins again when somebody asks."""
        for provider in self.providers:
            provider.close()

    @property
    def totals(self) -> dict[str, ModelSpending]:
        """What each provider has used since this was opened."""
        return self._totals.spent()

    def _model(
        self, providers: tuple[Provider, ...], watch: Watch | None, account: TurnAccount | None = None
    ) -> TurnModel:
        def told(attempt: ModelAttempt) -> None:
            self._totals.add(attempt)
            if watch is not None:
                watch(attempt)

        return TurnModel(providers, account or TurnAccount(self.settings), told, self._patience)

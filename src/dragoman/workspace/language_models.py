"""The language models of a workspace: which there are, whether they can be asked, and whether they answer."""

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from dragoman.catalog.settings import read_settings
from dragoman.contracts.connection import ConnectionSpec, SecretText
from dragoman.contracts.errors import ModelError
from dragoman.contracts.model import Message, ModelRequest, Speaker
from dragoman.contracts.model_settings import ModelsSettings
from dragoman.contracts.record import Record

if TYPE_CHECKING:
    from dragoman.models import Models

CHECK_SECONDS = 30.0
_QUESTION = ModelRequest((Message(Speaker.USER, "Answer with one word: are you there?"),))


class ProviderState(Record, frozen=True):
    """One provider as it is configured. `problem` says why it cannot be asked; empty where it can."""

    name: str
    kind: str
    model: str
    base_url: str
    problem: str


class ProviderAnswer(Record, frozen=True):
    """What one provider said to a first question, or the error in its place."""

    name: str
    ok: bool
    said: str
    code: str
    seconds: float
    tokens: int


class LanguageModels:
    """Those of a folder's dragoman.yaml. Without any, nothing of them is loaded."""

    def __init__(self, folder: Path, environment: Mapping[str, str] | None = None) -> None:
        self._folder = folder
        self._environment = os.environ if environment is None else environment

    @cached_property
    def settings(self) -> ModelsSettings | None:
        """Raises `WorkspaceError` where dragoman.yaml has mistakes."""
        return read_settings(self._folder).models

    @cached_property
    def models(self) -> "Models | None":
        """Open for as long as this is, so that totals are kept."""
        if self.settings is None:
            return None
        from dragoman.models import Models

        return Models(self.settings, self._environment, secrets=self._secrets())

    def close(self) -> None:
        """End what runs for them on this machine."""
        if "models" in self.__dict__ and self.models is not None:
            self.models.close()

    def states(self) -> tuple[ProviderState, ...]:
        """Every provider, in the order in which they are asked."""
        return tuple(
            ProviderState(
                provider.name,
                str(provider.settings.kind),
                provider.settings.model,
                provider.settings.base_url,
                provider.problem(),
            )
            for provider in (self.models.providers if self.models is not None else ())
        )

    def answer(self, name: str) -> ProviderAnswer:
        """Ask one provider for one word."""
        if self.models is None:
            raise KeyError(name)
        model = self.models.only(name)
        try:
            reply = model.complete(_QUESTION, deadline_seconds=CHECK_SECONDS)
        except ModelError as error:
            said, code = error.message, error.code
        else:
            said, code = reply.text.strip(), ""
        spent = model.spent.usage.total
        return ProviderAnswer(name, not code, said, code, model.seconds, spent)

    def _secrets(self) -> tuple[SecretText, ...]:
        """What the variables of connections hold, as far as they are set."""
        from dragoman.databases.connections.file import load_connections

        specs = load_connections(self._folder).specs
        values = (self._environment.get(name, "") for spec in specs for name in _variables(spec))
        return tuple(SecretText(value) for value in values if value)


def _variables(spec: ConnectionSpec) -> tuple[str, ...]:
    from dragoman.databases.connections.variables import variables_in

    held = (text.reveal() for text in (spec.password, spec.url) if text is not None)
    return tuple(name for text in held for name in variables_in(text))

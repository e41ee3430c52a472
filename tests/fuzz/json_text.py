"""Coverage-guided fuzzing of the search for an object in a model's text, with atheris.

python tests/fuzz/json_text.py [CORPUS…] -max_total_time=600

The bytes are read as UTF-8; what is none becomes lone surrogates, which a text may hold and a value may not.
With no corpus it starts from the messy texts of the tests.
"""

import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
LONGEST = 20_000


def write_corpus(folder: Path) -> None:
    """The texts of all cases that are not made to be large, one to a file."""
    from tests.guards.model_texts import CASES

    for number, case in enumerate(CASES):
        if len(case.text) <= LONGEST:
            (folder / f"case-{number}").write_bytes(case.text.encode("utf-8", "surrogatepass"))


def write_words(file: Path) -> None:
    """What chance alone would hardly write."""
    words = (
        "<think>",
        "</think>",
        "[/THINK]",
        "<|channel|>",
        "final",
        "analysis",
        "<|end|>",
        "assistantfinal",
    )
    marks = ("```", "/*", "*/", "//", "“", "’", "\\u00e9", "\\ud83d", "\ufeff", "\xa0", "True", "None", "NaN")
    lines = (f'"{escaped}"\n' for word in words + marks if (escaped := _escaped(word)))
    file.write_text("".join(lines), encoding="ascii")


def _escaped(word: str) -> str:
    return "".join(f"\\x{byte:02x}" for byte in word.encode("utf-8"))


def main() -> None:
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    # Installed for long proofs only.
    atheris: Any = import_module("atheris")
    with atheris.instrument_imports(include=["dragoman.guards.json_text"]):
        from tests.guards.json_text_invariants import check_extraction

    def read_bytes(data: bytes) -> None:
        check_extraction(data.decode("utf-8", "surrogateescape"))

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        arguments = list(sys.argv)
        write_words(folder / "words")
        arguments.append(f"-dict={folder / 'words'}")
        if all(argument.startswith("-") for argument in arguments[1:]):
            (folder / "corpus").mkdir()
            write_corpus(folder / "corpus")
            arguments.append(str(folder / "corpus"))
        atheris.Setup(arguments, read_bytes)
        atheris.Fuzz()


if __name__ == "__main__":
    main()

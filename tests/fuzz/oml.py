"""Coverage-guided fuzzing of the OML reader: python -m tests.fuzz.oml [libFuzzer's options] [corpus]

Nothing that is read may break it, and what it finds good must print and read back as the same.
"""

import sys

import atheris  # type: ignore[import-untyped, unused-ignore]

with atheris.instrument_imports(include=["dragoman.language", "dragoman.guards"]):
    from dragoman.language.conversion import to_verbs
    from dragoman.language.oml.oml_reader import read_oml
    from dragoman.language.oml.printer import print_oml
    from dragoman.language.source import Source, show

_HEAD = 'oml_version: "0.1.0"\nname: x\nsteps:\n  - id: a\n    component: b.c\n    mode: read\n    config: '


def check(data: bytes) -> None:
    provider = atheris.FuzzedDataProvider(data)
    # Half of the inputs begin as a good document does: chance alone would hardly get that far.
    text = (_HEAD if provider.ConsumeBool() else "") + provider.ConsumeUnicode(len(data))
    source = Source(text)
    document = read_oml(source)
    for diagnostic in document.diagnostics:
        show(source, diagnostic)
    to_verbs(document, source, {})
    if document.ok:
        printed = print_oml(document.statements, document.comments, {})
        again = read_oml(Source(printed))
        if (again.statements, again.diagnostics) != (document.statements, ()):
            raise AssertionError(f"{text!r} prints as {printed!r}, which reads as something else")
        if print_oml(again.statements, again.comments, {}) != printed:
            raise AssertionError(f"printing {text!r} twice gives another text")


def main() -> None:
    atheris.Setup(sys.argv, check)
    atheris.Fuzz()


if __name__ == "__main__":
    main()

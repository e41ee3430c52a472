"""Programs as text: a source, a finding under its line, a value, an edit; and files written whole."""

from typing import TYPE_CHECKING

from dragoman._lazy import lazy

if TYPE_CHECKING:
    from dragoman.answering.figures import for_the_eye, without_noise
    from dragoman.engine.files import write_whole
    from dragoman.language.edits import described
    from dragoman.language.source import Source, show
    from dragoman.language.verbs.printer import print_value
    from dragoman.locales.plural import counted

__all__ = [
    "Source",
    "counted",
    "described",
    "for_the_eye",
    "print_value",
    "show",
    "without_noise",
    "write_whole",
]

__getattr__ = lazy(
    __name__,
    {
        "Source": "dragoman.language.source",
        "counted": "dragoman.locales.plural",
        "described": "dragoman.language.edits",
        "for_the_eye": "dragoman.answering.figures",
        "without_noise": "dragoman.answering.figures",
        "print_value": "dragoman.language.verbs.printer",
        "show": "dragoman.language.source",
        "write_whole": "dragoman.engine.files",
    },
)

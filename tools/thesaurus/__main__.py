"""Writes the tables of the thesaurus: `python -m tools.thesaurus --wordnet DIR --words DIR --databases DIR`.

--wordnet is the folder of WordNet 3.0's files (Debian: package wordnet-base, /usr/share/wordnet), --words one
with tables of the Open Multilingual Wordnet (wn-wikt-rus.tab and so on), --databases one with SQLite
databases that show how people name tables and columns. The same folders give the same tables, byte for byte.
With --own alone, the words of `translations.txt` are added to the tables that are there.
"""

import argparse
from collections.abc import Sequence, Set
from pathlib import Path
from typing import Final

from dragoman.locales import thesaurus
from dragoman.locales.thesaurus import looked_up
from tools.thesaurus.foreign import OWN, names, translations, with_pairs
from tools.thesaurus.groups import grouped, stopped, translated
from tools.thesaurus.near import near_words
from tools.thesaurus.table import read_table, write_table
from tools.thesaurus.vocabulary import vocabulary
from tools.thesaurus.wordnet import WordNet

HERE: Final = Path(__file__).parent
LANGUAGES: Final = {"de": "deu", "ko": "kor", "ru": "rus"}
"""Our codes of languages, and those of the Open Multilingual Wordnet's files."""


def main(arguments: Sequence[str] | None = None) -> None:
    options = _parser().parse_args(arguments)
    if options.own:
        _add_own(options.into)
        return
    if None in (options.wordnet, options.words, options.databases):
        _parser().error("name --wordnet, --words and --databases, or --own alone")
    wordnet = WordNet.read(options.wordnet)
    pairs = list(grouped(HERE / "groups.txt"))
    words = vocabulary(wordnet, options.databases) | {word for pair in pairs for word in pair[:2]}
    near = near_words(wordnet, words, pairs, stopped(HERE / "stopped.txt"))
    write_table(options.into / "near.txt", near)
    for code, table in LANGUAGES.items():
        _write_language(options, wordnet, words | set(near), code, table)


def _add_own(folder: Path) -> None:
    for code in LANGUAGES:
        path = folder / f"words-{code}.txt"
        own = translated(HERE / "translations.txt", code, OWN)
        write_table(path, with_pairs(read_table(path), own, looked_up))


def _write_language(
    options: argparse.Namespace, wordnet: WordNet, words: Set[str], code: str, table: str
) -> None:
    own = translated(HERE / "translations.txt", code, OWN)
    found = translations(wordnet, options.words / f"wn-wikt-{table}.tab", words, own, looked_up)
    write_table(options.into / f"words-{code}.txt", found)
    write_table(
        options.into / f"names-{code}.txt",
        names(wordnet, options.words / f"wn-cldr-{table}.tab", looked_up),
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.thesaurus", description=__doc__)
    parser.add_argument("--own", action="store_true", help="only add the words of translations.txt")
    parser.add_argument("--wordnet", type=Path)
    parser.add_argument("--words", type=Path)
    parser.add_argument("--databases", type=Path)
    parser.add_argument("--into", type=Path, default=Path(thesaurus.__file__).parent)
    return parser


if __name__ == "__main__":
    main()

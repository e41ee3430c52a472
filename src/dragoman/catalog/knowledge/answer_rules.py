"""The rules about answers that a workspace keeps in `policies/*.yaml`, checked and asked."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

from dragoman.contracts.errors import PolicyRulesInvalid
from dragoman.contracts.places import TEXT_FOLDERS
from dragoman.contracts.policy_rules import PolicyRule, PolicyRulesFile
from dragoman.contracts.roles import RequestType
from dragoman.documents.terms import Word, is_small, language_of, spoken_of, words_of
from dragoman.guards.paths import judge_path
from dragoman.language.records import read_record
from dragoman.language.source import Source, show
from dragoman.locales.registry import FALLBACK
from dragoman.locales.thesaurus import translations

_ENDINGS: Final = (".yaml", ".yml")
_MOST_BYTES: Final = 200_000
_MOST_FILES: Final = 100
_SAME: Final = 0.85
"""A translation that is as sure as this means the topic itself."""
_ANY: Final = "*"


class WorkspaceRules:
    """Rules in the order of their files. Fulfils the protocol `AnswerRules`."""

    def __init__(self, rules: Sequence[PolicyRule]) -> None:
        self.rules = tuple(rules)

    def denying(self, request_type: RequestType, query: str, text: str) -> tuple[str, ...]:
        """The rules against what is asked. What may not be said is written again; see `forbidden`."""
        said = _topic_words(query)
        return tuple(
            rule.name
            for rule in self._for(request_type)
            if any(_is_said(topic, said) for topic in self._topics[rule.name])
        )

    def showing(self, request_type: RequestType, columns: Sequence[str]) -> tuple[str, ...]:
        return tuple(
            rule.name
            for rule in self._for(request_type)
            if any(_is_column(pattern, column) for pattern in rule.columns for column in columns)
        )

    def forbidden(self, request_type: RequestType) -> tuple[str, ...]:
        return _once(phrase for rule in self._for(request_type) for phrase in rule.phrases)

    def required(self, request_type: RequestType) -> tuple[str, ...]:
        return _once(statement for rule in self._for(request_type) for statement in rule.statements)

    def reasons(self, names: Sequence[str]) -> tuple[str, ...]:
        return _once(rule.because for rule in self.rules if rule.name in names and rule.because)

    def _for(self, request_type: RequestType) -> Iterator[PolicyRule]:
        return (rule for rule in self.rules if rule.holds_for(request_type))

    @cached_property
    def _topics(self) -> dict[str, tuple[tuple[frozenset[str], ...], ...]]:
        """Each topic of a rule as its words, each with all it may be called."""
        return {rule.name: tuple(_topic_words(topic) for topic in rule.topics) for rule in self.rules}


def workspace_rules(folder: Path) -> WorkspaceRules | None:
    """The rules of a workspace; None where it has none. A rule that cannot be read must not be lost: raises
    `PolicyRulesInvalid`."""
    found: list[PolicyRule] = []
    for path in _files(folder):
        found += _read(folder, path)
    names = [rule.name for rule in found]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise PolicyRulesInvalid(f"two rules are named {twice}", hint="give each rule a name of its own")
    return WorkspaceRules(found) if found else None


def _files(folder: Path) -> list[str]:
    place = folder / TEXT_FOLDERS[1]
    if not place.is_dir():
        return []
    paths = (each for each in place.rglob("*") if each.suffix.lower() in _ENDINGS)
    files = sorted(each.relative_to(folder).as_posix() for each in paths)
    if len(files) > _MOST_FILES:
        raise PolicyRulesInvalid(f"policies/ has more than {_MOST_FILES} files of rules", hint="join them")
    return files


def _read(folder: Path, path: str) -> tuple[PolicyRule, ...]:
    verdict = judge_path(str(folder), path)
    if verdict.resolved is None:
        raise PolicyRulesInvalid(f"{path} leads out of the workspace", hint="put the file itself there")
    try:
        with open(verdict.resolved, "rb") as file:
            data = file.read(_MOST_BYTES + 1)
        text = data.decode("utf-8")
    except (OSError, ValueError) as error:
        raise PolicyRulesInvalid(f"{path} cannot be read: {error}", hint="save it as UTF-8") from error
    if len(data) > _MOST_BYTES:
        raise PolicyRulesInvalid(f"{path} is longer than {_MOST_BYTES:,} bytes", hint="part it into files")
    source = Source(text, path)
    read = read_record(source, PolicyRulesFile)
    if not isinstance(read, PolicyRulesFile):
        raise PolicyRulesInvalid(show(source, read[0]), hint=read[0].hint)
    idle = next((rule.name for rule in read.rules if not _says_anything(rule)), None)
    if idle is not None:
        hint = "write topics, columns, phrases or statements"
        raise PolicyRulesInvalid(f"{path}: the rule {idle} says nothing", hint=hint)
    return read.rules


def _says_anything(rule: PolicyRule) -> bool:
    return bool(rule.topics or rule.columns or rule.phrases or rule.statements)


def _topic_words(text: str) -> tuple[frozenset[str], ...]:
    """The words of a text that say something, each with its dictionary forms, in English too: a topic is the
    same in every language."""
    code = language_of([text])
    return tuple(_called(word, code) for word in words_of(text, code) if not is_small(word, code))


def _called(word: Word, code: str) -> frozenset[str]:
    spoken = spoken_of(word.form, code)
    found = set(word.keys)
    if spoken is not None and spoken.code != FALLBACK:
        for key in word.keys:
            found.update(other for other, sure in translations(spoken.code, key).items() if sure >= _SAME)
    return frozenset(found)


def _is_said(topic: Sequence[frozenset[str]], said: Sequence[frozenset[str]]) -> bool:
    """Whether the words of a topic stand one behind the other."""
    size = len(topic)
    if not size:
        return False
    starts = range(len(said) - size + 1)
    return any(all(not own.isdisjoint(said[at + i]) for i, own in enumerate(topic)) for at in starts)


def _is_column(pattern: str, column: str) -> bool:
    table, _, name = pattern.casefold().rpartition(".")
    own_table, _, own = column.casefold().rpartition(".")
    of_table = table in ("", _ANY) or not own_table or own_table == table
    # Of a column whose table nobody knows, `table.*` says nothing.
    return of_table and (name == own or (name == _ANY and bool(own_table)))


def _once(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(texts))

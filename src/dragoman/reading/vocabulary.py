"""Everything that words can mean: the lexicons and a catalog, laid out by the words of their phrases."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any

from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.pack import ArgumentKind
from dragoman.contracts.vocabulary import Signal
from dragoman.locales.documents import cues_of, lexicon_of, talk_of
from dragoman.locales.language import Language
from dragoman.reading.languages import Spoken
from dragoman.reading.phrases import Meaning, PhraseIndex, forms_in
from dragoman.reading.reading import MentionKind
from dragoman.reading.talk import ends, leaning, same_words, time_words
from dragoman.reading.tokens import fold

Phrases = Iterator[tuple[str, Meaning]]

_TALK = {Signal.CHAT: MentionKind.CHAT, Signal.DATA_SCOPE: MentionKind.DATA_SCOPE}
_PLAIN_LISTS = {
    "fillers": MentionKind.FILLER,
    "filler_phrases": MentionKind.FILLER,
    "anaphors": MentionKind.ANAPHOR,
    "carry_phrases": MentionKind.CARRY,
    "returns": MentionKind.RETURN,
    "recap": MentionKind.RECAP,
    "writes": MentionKind.WRITE,
    "scope_choice": MentionKind.SCOPE_CHOICE,
    "comparisons": MentionKind.COMPARISON,
    "groupings": MentionKind.GROUPING,
    "sortings": MentionKind.SORTING,
}


class LanguageWords:
    """What the words of a language mean wherever it is spoken, laid out once for all catalogs."""

    def __init__(self, language: Language) -> None:
        data, talk = lexicon_of(language), talk_of(language)
        phrases = (*_of_lexicon(data), *leaning(talk))
        self.parts = PhraseIndex(language, phrases)
        self.about = _only_about(phrases)
        self.ends = PhraseIndex(language, ends(talk))
        self.same = PhraseIndex(language, same_words(talk))
        self.time = PhraseIndex(language, time_words(talk))
        self.wholes = PhraseIndex(language, _of_whole_messages(data))
        self.polite = _forms(data["polite"])
        self.fillers = _forms(data["fillers"])
        self.pronouns = _forms(data["anaphors"])
        self.pointing = frozenset(word for word in map(fold, data["anaphors"]) if " " not in word)
        self.gaps = _forms(data["gap_words"]) | self.pronouns
        self.owning = _forms(data["changes"]["owns"])
        self.row_words = _forms(data["row_words"])
        self.row_numbers = _forms(data["row_numbers"])
        self.number_suffixes = frozenset(data["number_suffixes"])
        self.stranded = _forms(data["stranded"])
        self.demonstratives = _forms(data["demonstratives"])
        self.other_words = frozenset(map(fold, data["other_words"]))
        self.diminutives: tuple[tuple[str, str], ...] = tuple(
            (fold(end), base) for end, _, base in (each.partition(" ") for each in talk["diminutives"])
        )
        self.heard_as_one = tuple(frozenset(map(fold, letters)) for letters in talk["heard_as_one"])
        self.colloquial = {fold(said): fold(meant) for said, meant in talk["colloquial"].items()}


@cache
def words_of(language: Language) -> LanguageWords:
    return LanguageWords(language)


class Vocabulary:
    """The phrases of one language: what a part of a message can mean, and what a whole one can."""

    def __init__(self, language: Language, catalog: Catalog) -> None:
        words = words_of(language)
        self.language = language
        self.script = language.script
        of_catalog = tuple(_of_catalog(language, catalog))
        self.parts = PhraseIndex(language, of_catalog, words.parts)
        self.asked = _forms([phrase for phrase, _ in of_catalog])
        self.about = words.about - self.asked
        """The words that stand in nothing but questions about answers."""
        self.ends, self.same, self.time, self.wholes = words.ends, words.same, words.time, words.wholes
        self.kinds = PhraseIndex(
            language,
            (
                (word, Meaning(MentionKind.KIND_WORD, kind))
                for kind, word in _kind_words(language.code, catalog)
            ),
        )
        self.polite, self.fillers = words.polite, words.fillers
        self.pronouns, self.pointing = words.pronouns, words.pointing
        """The pronouns, and those of one word: the client of "that client" points at nothing by itself."""
        self.gaps = words.gaps
        self.owning = words.owning
        """Words that stand between a thing and whose it is."""
        self.row_words, self.row_numbers = words.row_words, words.row_numbers
        self.number_suffixes = words.number_suffixes
        self.stranded, self.demonstratives = words.stranded, words.demonstratives
        self.known = dict.fromkeys((*self.parts.forms, *self.wholes.forms, *self.kinds.forms))
        self.known.update(dict.fromkeys(sorted(self.polite | self.gaps | self.row_words | self.row_numbers)))
        self.plain = frozenset((*self.parts.single, *self.wholes.single, *self.kinds.single)) | self.gaps
        self.other_words = words.other_words
        self.options = _options(catalog)
        """The values that arguments of verbs take: one may stand inside a phrase, list closed accounts."""
        self.diminutives = words.diminutives
        self.heard_as_one = words.heard_as_one
        """Letters that one is written for the other at the beginning of a word."""
        self.colloquial = words.colloquial


class Vocabularies:
    """The vocabularies of all languages, each made when a message is read in it."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._made: dict[Language, Vocabulary] = {}
        self._words: dict[Language, frozenset[str]] = {}

    def of(self, spoken: Spoken) -> tuple[Vocabulary, ...]:
        return tuple(self._of_language(language) for language in spoken.languages)

    def lists(self, spoken: Spoken, forms: Iterable[str]) -> bool:
        """Whether a word stands in one of the languages' lists as it is: what is cheap to know before the
        words are laid out."""
        listed = [self._listed(language) for language in spoken.languages]
        return any(form in words for form in forms for words in listed)

    def _listed(self, language: Language) -> frozenset[str]:
        if language not in self._words:
            phrases = [phrase for phrase, _ in _of_catalog(language, self._catalog)]
            self._words[language] = _listed_in(language) | _forms(phrases)
        return self._words[language]

    def _of_language(self, language: Language) -> Vocabulary:
        if language not in self._made:
            self._made[language] = Vocabulary(language, self._catalog)
        return self._made[language]


@cache
def _listed_in(language: Language) -> frozenset[str]:
    """The words of a language's own lists."""
    documents = (lexicon_of(language), cues_of(language), talk_of(language))
    return _forms([text for document in documents for text in _texts(document)])


def _texts(part: Any) -> Iterator[str]:
    """Every text of a document, the keys of its tables of words among them."""
    if isinstance(part, str):
        yield part
    elif isinstance(part, Mapping):
        for key, value in part.items():
            yield from _texts(key)
            yield from _texts(value)
    elif isinstance(part, list):
        for each in part:
            yield from _texts(each)


def _forms(words: list[str]) -> frozenset[str]:
    return frozenset(form for word in words for form in forms_in(str(word)))


def _of_lexicon(data: Mapping[str, Any]) -> Phrases:
    fillers = _forms(data["fillers"])
    for name, kind in _PLAIN_LISTS.items():
        for phrase in data[name]:
            # Words that carry nothing one by one need no phrase, and might part others from theirs.
            if name != "filler_phrases" or not all(fold(word) in fillers for word in phrase.split()):
                yield phrase, Meaning(kind)
    for name, phrases in data["phrases"].items():
        if Signal(name) in _TALK:
            for phrase in phrases:
                yield phrase, Meaning(_TALK[Signal(name)], name)
    yield from _of_answers(data)
    yield from _of_numbers(data)
    for phrase in data["affirm"]["yes"]:
        yield phrase, Meaning(MentionKind.AFFIRMATION, "yes")


def _of_answers(data: Mapping[str, Any]) -> Phrases:
    """What is said about an answer that was given."""
    pointing = _forms(data["demonstratives"])
    for name, phrases in data["meta"].items():
        for phrase in phrases:
            yield phrase, Meaning(MentionKind.META, name)
            rest = [word for word in phrase.split() if fold(word) not in pointing]
            # What is pointed at may be named otherwise: is that high, is this high, is the figure high.
            if 1 < len(rest) < len(phrase.split()):
                yield " ".join(rest), Meaning(MentionKind.META, name)
    for name, phrases in data["negations"].items():
        for phrase in phrases:
            yield phrase, Meaning(MentionKind.NEGATION, name)


def _of_numbers(data: Mapping[str, Any]) -> Phrases:
    for word, number in data["ordinals"].items():
        yield word, Meaning(MentionKind.ORDINAL, str(number))
    for word in data["most"]:
        yield word, Meaning(MentionKind.SUPERLATIVE, "most")
    for word in data["least"]:
        yield word, Meaning(MentionKind.SUPERLATIVE, "least")
    for word, number in data["numbers"].items():
        yield word, Meaning(MentionKind.NUMBER, str(number))


def _of_whole_messages(data: Mapping[str, Any]) -> Phrases:
    for name, phrases in data["phrases"].items():
        if Signal(name) not in _TALK:
            for phrase in phrases:
                yield phrase, Meaning(MentionKind.ESCAPE, name)
    for answer, phrases in data["affirm"].items():
        for phrase in phrases:
            yield phrase, Meaning(MentionKind.AFFIRMATION, answer)


def _of_catalog(language: Language, catalog: Catalog) -> Phrases:
    data = lexicon_of(language)
    cards = set(catalog.cards.values())
    empty = _forms(data["fillers"])
    for name, verb in catalog.verbs.items():
        for phrase in _words(verb, language.code):
            yield phrase, Meaning(MentionKind.VERB, name)
    for name, verb in catalog.actions.items():
        # An object is shown when it is named; the words for showing carry nothing.
        phrases = [p for p in _words(verb, language.code) if name not in cards or fold(p) not in empty]
        for phrase in phrases:
            yield phrase, Meaning(MentionKind.ACTION, name)
    scopes = [kind for kind in catalog.kinds if kind not in catalog.cards]
    for kind, word in _kind_words(language.code, catalog):
        for template in data["widen"] if kind in scopes else ():
            yield template.replace("{}", word), Meaning(MentionKind.WIDEN, kind)
        narrower = [other for other in scopes if other != kind]
        if kind in scopes and narrower:
            for template in data["widen_whole"]:
                yield template.replace("{}", word), Meaning(MentionKind.WIDEN, " ".join(narrower))
        if kind in scopes:
            for template in data["kinds_asked"]:
                yield template.replace("{}", word), Meaning(MentionKind.DATA_SCOPE, Signal.DATA_SCOPE)


def _only_about(phrases: Iterable[tuple[str, Meaning]]) -> frozenset[str]:
    kinds = (MentionKind.META, MentionKind.RECAP)
    told, others = set[str](), set[str]()
    for phrase, meaning in phrases:
        (told if meaning.kind in kinds else others).update(forms_in(phrase))
    return frozenset(told - others)


def _words(verb: CatalogVerb, language: str) -> tuple[str, ...]:
    return tuple(verb.spec.words.get(language, ()))


def _options(catalog: Catalog) -> frozenset[str]:
    arguments = [a for v in catalog.all_verbs.values() for a in v.spec.arguments.values()]
    options = [option for argument in arguments for option in argument.options]
    # A yes or no is said by its title: vip members.
    flags = [title for a in arguments if a.kind is ArgumentKind.BOOLEAN for title in a.title.values()]
    return _forms([*options, *flags])


def _kind_words(language: str, catalog: Catalog) -> Iterator[tuple[str, str]]:
    for kind, words in catalog.kinds.items():
        for word in words.get(language, ()):
            yield kind, word

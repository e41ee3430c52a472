"""Slips of spelling: what an unknown word was most likely meant to be."""

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from dragoman.locales.dictionary import has_word
from dragoman.locales.language import Language
from dragoman.locales.registry import every_language
from dragoman.locales.script import script_of
from dragoman.reading.languages import Spoken
from dragoman.reading.lemmas import keys_of
from dragoman.reading.tokens import Token
from dragoman.reading.vocabulary import Vocabulary

_SHORTEST: Final = 4
_MIDDLING: Final = 5
_LONG: Final = 10
_LONG_ASKED: Final = 8
"""From here on two slips are looked for: in any word, and in words for what can be asked for."""
_LONG_FILLER: Final = 6
_MOST_READINGS: Final = 4


class Slips:
    """Corrects single words against what is known. What is known is never corrected."""

    def __init__(self, names: Iterable[str], dates: Iterable[str]) -> None:
        self._names = tuple(name for name in names if len(name) >= _SHORTEST and name.isalpha())
        self._dates = tuple(word for word in dates if len(word) >= _SHORTEST and word.isalpha())
        self._made: dict[tuple[str, Spoken], dict[int, list[tuple[str, str]]]] = {}

    def meant(
        self, token: Token, vocabularies: Sequence[Vocabulary], beside: Sequence[str] = ()
    ) -> tuple[str, ...]:
        """The known words that a word may be a slip or an everyday form of: mostly one or none, never many.
        `beside` are the words of names that the words next to it are of."""
        form = token.form
        everyday = [v.colloquial[form] for v in vocabularies if form in v.colloquial]
        if everyday:
            return tuple(everyday[:1])
        if not form.isalpha():
            return ()
        typed = self._other_keyboard(form, vocabularies) or self._diminished(form, vocabularies)
        if typed is not None:
            return (typed,)
        of_name = [word for word in beside if _is_near(form, word)]
        if len(of_name) == 1:
            return (of_name[0],)
        spoken = Spoken(tuple(v.language for v in vocabularies))
        keys = keys_of(form, spoken)
        known = [key for v in vocabularies for key in keys if key in v.known or key in v.other_words]
        language = spoken.of(token.script)
        if known and language is not None and form not in known:
            # A word that no dictionary has, of a lemma that one has: its ending is a slip.
            if language.has_word(language, form) or not language.has_word(language, known[0]):
                return ()
            near = self._nearest(form, language, vocabularies)
            return near if len(near) == 1 else tuple(known[:1])
        if known or language is None or language.has_word(language, form):
            return ()
        return self._nearest(form, language, vocabularies)

    def _nearest(self, form: str, language: Language, vocabularies: Sequence[Vocabulary]) -> tuple[str, ...]:
        from rapidfuzz import process
        from rapidfuzz.distance import OSA

        size = len(form)
        if size < language.shortest_slip:
            return self._swapped(form, language, vocabularies)
        most = 2 if size >= _LONG_ASKED else 1
        spoken = Spoken(tuple(v.language for v in vocabularies))
        by_size = self._by_size(language.script, vocabularies)
        choices = {
            w: spelt for near in range(size - most, size + most + 1) for w, spelt in by_size.get(near, ())
        }
        letters = _letters(form, spoken)
        near = process.extract(letters, choices, scorer=OSA.distance, score_cutoff=most, limit=8)
        asked = {*self._names, *self._dates, *(word for v in vocabularies for word in v.asked)}
        fitting = [
            (int(distance), word)
            for _, distance, word in near
            if _fits(form, letters, word, vocabularies) and (distance <= 1 or size >= _LONG or word in asked)
        ]
        if not fitting:
            return ()
        closest = min(distance for distance, _ in fitting)
        best = sorted({word for distance, word in fitting if distance == closest})
        if any(word in v.about for v in vocabularies for word in best) and has_word(language, form):
            # A word of its own is no slip of one that only speaks of answers: towns, tons.
            best = [word for word in best if not any(word in v.about for v in vocabularies)]
        if not best or sum(word in self._names for word in best) > 1:
            # Two names are two things, however alike.
            return tuple(best) if len(best) <= _MOST_READINGS else ()
        if len(best) > 1 and not _are_forms_of_one(best):
            # What is asked for is more often meant than what is said beside it.
            best = [word for word in best if word in asked]
        if _are_forms_of_one(best):
            return tuple(best[:1])
        return tuple(best) if len(best) <= _MOST_READINGS else ()

    def _swapped(self, form: str, language: Language, vocabularies: Sequence[Vocabulary]) -> tuple[str, ...]:
        """The short word that two letters next to each other were swapped in: teh."""
        of_size = {word for word, _ in self._by_size(language.script, vocabularies).get(len(form), ())}
        swapped = {form[:at] + form[at + 1] + form[at] + form[at + 2 :] for at in range(len(form) - 1)}
        found = sorted((swapped - {form}) & of_size)
        # A word of its own is no other one with its letters swapped: sue, use.
        return tuple(found) if len(found) == 1 and not has_word(language, form) else ()

    def _by_size(self, script: str, vocabularies: Sequence[Vocabulary]) -> dict[int, list[tuple[str, str]]]:
        """The words of a script by their length, each with its letters."""
        spoken = Spoken(tuple(v.language for v in vocabularies))
        made = self._made.get((script, spoken))
        if made is None:
            known = [word for v in vocabularies if v.script == script for word in v.known if len(word) > 2]
            known.extend(word for word in (*self._names, *self._dates) if script_of(word) == script)
            made = {}
            for word in dict.fromkeys(known):
                made.setdefault(len(word), []).append((word, _letters(word, spoken)))
            self._made[script, spoken] = made
        return made

    def _diminished(self, form: str, vocabularies: Sequence[Vocabulary]) -> str | None:
        """The word that a word is a small or a fond form of."""
        spoken = Spoken(tuple(v.language for v in vocabularies))
        for key in keys_of(form, spoken):
            for v in vocabularies:
                meant = [
                    key.removesuffix(ending) + base for ending, base in v.diminutives if key.endswith(ending)
                ]
                known = [word for word in meant if len(word) > 2 and (word in self._names or word in v.known)]
                if known:
                    return known[0]
        return None

    def _other_keyboard(self, form: str, vocabularies: Sequence[Vocabulary]) -> str | None:
        """The word that the same keys write in another layout."""
        for language in every_language():
            latin, native = language.keyboard
            for written, meant in ((latin, native), (native, latin)):
                if written and all(letter in written for letter in form):
                    word = form.translate(str.maketrans(written, meant))
                    if len(word) > 2 and (word in self._names or any(word in v.known for v in vocabularies)):
                        return word
        return None


def _is_near(form: str, word: str) -> bool:
    """Whether a word is a slip or two away from a word of the name it stands in."""
    from rapidfuzz.distance import OSA

    if min(len(form), len(word)) < _SHORTEST - 1 or form[0] != word[0] or form == word:
        return False
    return OSA.distance(form, word) <= (2 if len(form) >= _MIDDLING else 1)


def _fits(form: str, letters: str, word: str, vocabularies: Sequence[Vocabulary]) -> bool:
    """A slip keeps the first letter, or writes one that sounds like it: unreliable is not reliable. A short
    word has no letter in place of another; one that carries nothing is only mistyped in its order."""
    swapped = sorted(form) == sorted(word)
    if any(word in v.fillers or word in v.polite or word in v.gaps for v in vocabularies):
        return swapped or (len(letters) >= _LONG_FILLER and word[0] == form[0])
    if len(letters) < _MIDDLING and len(form) == len(word):
        return swapped
    return swapped or word[0] == form[0] or _sounds_alike(form, word, vocabularies)


def _sounds_alike(form: str, word: str, vocabularies: Sequence[Vocabulary]) -> bool:
    """Whether two words begin with letters that are heard as one: астатки is written as остатки sounds."""
    starts = {form[0], word[0]}
    return len(form) == len(word) and any(starts == each for v in vocabularies for each in v.heard_as_one)


def _letters(word: str, spoken: Spoken) -> str:
    """A word in the letters that a finger can slip on."""
    language = spoken.of(script_of(word))
    if language is None or language.slip_letters is None:
        return word
    return language.slip_letters(language, word)


def _are_forms_of_one(words: list[str]) -> bool:
    start = words[0][:_SHORTEST] if words else ""
    return len(start) == _SHORTEST and all(word.startswith(start) for word in words)


class Respelled(NamedTuple):
    """A text with some words written as they were meant, and the way back to the places of the first one."""

    text: str
    changes: tuple[tuple[int, int, int], ...]
    """Where each changed word stood, where it ended, and how much longer it became."""

    @staticmethod
    def of(text: str, words: Sequence[tuple[Token, str]]) -> "Respelled":
        changes: list[tuple[int, int, int]] = []
        parts: list[str] = []
        done = 0
        for token, word in words:
            parts.extend((text[done : token.start], word))
            changes.append((token.start, token.end, len(word) - (token.end - token.start)))
            done = token.end
        return Respelled("".join((*parts, text[done:])), tuple(changes))

    def place(self, at: int) -> int:
        """Where a place of this text was in the first one."""
        moved = 0
        for start, end, longer in self.changes:
            if at >= end + moved + longer:
                moved += longer
            elif at > start + moved:
                return end
        return at - moved

"""Renders messages of one language as English questions over one database."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from dragoman.databases.values import ValueIndex
from dragoman.locales.language import Language
from dragoman.locales.script import script_of
from dragoman.locales.word_form import Part, WordForm
from dragoman.planning.database.schema_words import SchemaWords
from dragoman.planning.pivot.choices import Choice, Choices
from dragoman.planning.pivot.chunks import Chunk, chunks_of
from dragoman.planning.pivot.data_names import DataNames
from dragoman.planning.pivot.grammar import Grammar
from dragoman.planning.pivot.head_final import Arrangement
from dragoman.planning.pivot.head_first import arranged
from dragoman.planning.pivot.items import Item
from dragoman.planning.pivot.period_text import period_text
from dragoman.planning.pivot.rendering import Piece, Rendering, rendering
from dragoman.planning.pivot.words import Kind, Word, words_of
from dragoman.reading.languages import Spoken
from dragoman.reading.period_grammar import period_grammar
from dragoman.reading.periods import Bound, PeriodMention

_LONGEST: Final = 8
_COUNTING: Final = frozenset(
    {"how many", "number of", "count", "the most", "the fewest", "top", "more", "less"}
)
_GROUPING: Final = frozenset({"by", "and by", "sorted by"})
_LONGEST_WORDS: Final = 3
_REMEMBERED: Final = 64


class Renderer:
    """What is made of the schema and the language is made once."""

    def __init__(self, language: Language, grammar: Grammar, schema: SchemaWords, values: ValueIndex) -> None:
        self._language = language
        self._grammar = grammar
        self._choices = Choices(schema, values, language.code)
        self._names = DataNames(values, language)
        self._taught = _own_names(schema, language)
        # Several planners and the second reader ask for the same message.
        self.rendered = lru_cache(_REMEMBERED)(self._rendered)

    def _rendered(self, text: str) -> Rendering:
        grammar = period_grammar(Spoken((self._language,)))
        found = [_clear(each) for each in grammar.find(text)]
        periods = [(each, english) for each in found if (english := period_text(each))]
        words = list(map(self._as_taught, words_of(text, self._language, self._grammar, periods)))
        if self._grammar.sheet.head_final is not None:
            items = self._turned(words)
        else:
            items = arranged(self._near_each_other(list(self._items(words))), self._choices)
        return rendering(text, [piece for item in items for piece in item.pieces()])

    def _as_taught(self, word: Word) -> Word:
        """A word that names something as it is stays: somebody has taught it."""
        if word.kind is not Kind.WORD or not self._taught:
            return word
        name = next((self._taught[key] for key in word.keys if key in self._taught), None)
        return word if name is None else replace(word, kind=Kind.KEPT, english=name)

    def _near_each_other(self, items: list[Item]) -> list[Item]:
        """Words that may mean several things mean what is near the others."""
        firsts = [each.choices[0] for each in items if each.choices]
        tables = {table for choice in firsts for table in self._choices.tables_of(choice)}
        found = []
        for item in items:
            if len(item.choices) > 1 and tables:
                ranked = self._choices.near(item.choices, tables)
                item = replace(item, english=ranked[0].english, choices=ranked)
            found.append(item)
        return found

    def _turned(self, words: Sequence[Word]) -> list[Item]:
        chunks = chunks_of(self._with_phrases(words), self._grammar.sheet, self._choices.has_word)
        return Arrangement(self._grammar.sheet, self._looked_up).arranged(list(chunks))

    def _with_phrases(self, words: Sequence[Word]) -> list[Word]:
        """The words, phrases of several of them as one that is settled."""
        found: list[Word] = []
        at = 0
        while at < len(words):
            phrase = self._grammar.longest([each.keys for each in words[at : at + _LONGEST]])
            if phrase is None:
                found.append(words[at])
                at += 1
                continue
            size, english = phrase
            found.append(replace(words[at], kind=Kind.KEPT, end=words[at + size - 1].end, english=english))
            at += size
        return found

    def _looked_up(self, chunk: Chunk) -> Item:
        word = chunk.word
        if word.kind is not Kind.WORD:
            return Item(word.english, word.start, word.end, Part.NOUN)
        if chunk.stem in self._taught:
            return Item(self._taught[chunk.stem], word.start, word.end, Part.NOUN)
        name = self._names.written([replace(word, form=chunk.stem)])
        if name is not None:
            return Item(f'"{name.value}"', word.start, word.end, Part.NOUN)
        return self._one(replace(word, form=chunk.stem), ())

    def _items(self, words: Sequence[Word]) -> Iterator[Item]:
        at = 0
        while at < len(words):
            item, size = self._next(words, at)
            if item is not None:
                yield item
            at += size

    def _next(self, words: Sequence[Word], at: int) -> tuple[Item | None, int]:
        """What the words from here on are, and how many of them."""
        word = words[at]
        found = self._phrase(words, at)
        if found is not None:
            return found
        if word.kind is not Kind.WORD:
            counts = word.kind is Kind.NUMBER
            named = self._choices.kept(word.form) if word.english.isalpha() else ()
            part = Part.NOUN if named else None
            # A number in words has a case: the rating of three hotels.
            case = word.forms[0].case if counts and word.forms else ""
            return Item(word.english, word.start, word.end, part, case, choices=named, counts=counts), 1
        name = self._names.written(words[at:])
        if name is not None:
            last = words[at + name.words - 1]
            return Item(f'"{name.value}"', word.start, last.end, Part.NOUN, "of"), name.words
        return self._compared(words, at) or self._several(words, at) or (self._one(word, words[:at]), 1)

    def _phrase(self, words: Sequence[Word], at: int) -> tuple[Item | None, int] | None:
        word, sheet = words[at], self._grammar.sheet
        if word.kind is Kind.KEPT and self._taught.get(word.english.casefold()) == word.english:
            return None
        degrees = {*sheet.superlative_marks, *sheet.least_marks}
        compares = word.form in sheet.comparatives or not degrees.isdisjoint((word.form, *word.lemmas))
        shortest = 2 if compares else 1
        near = list(words[at : at + _LONGEST])
        # A comma inside of a phrase says nothing.
        places = [i for i, each in enumerate(near) if each.form != "," or i == 0]
        found = self._grammar.longest([near[i].keys for i in places])
        if found is None or found[0] < shortest:
            return None
        size = places[found[0] - 1] + 1
        return self._said(near[:size], found[1]), size

    def _said(self, words: Sequence[Word], english: str) -> Item | None:
        start, end = words[0].start, words[-1].end
        owner = len(words) == 1 and words[0].form in self._grammar.sheet.owners
        if not english:
            return None
        if "#" not in english and "@" not in english:
            counts, groups = english in _COUNTING, english in _GROUPING
            part, case = _described(words)
            named = self._choices.kept(english) if part is Part.NOUN else ()
            # A noun that counts or lists things is no thing itself.
            part = None if part is Part.NOUN and not named else part
            return Item(
                english, start, end, part, case, choices=named, counts=counts, groups=groups, owner=owner
            )
        # Numbers and periods keep their own places: they are asked for by these.
        slots = iter([each for each in words if each.kind in (Kind.NUMBER, Kind.PERIOD)])
        pieces = []
        for said in english.split():
            slot = next(slots, None) if said in ("#", "@") else None
            pieces.append(Piece(slot.english, slot.start, slot.end) if slot else Piece(said, start, end))
        return Item(" ".join(each.text for each in pieces), start, end, counts=True, inner=tuple(pieces))

    def _compared(self, words: Sequence[Word], at: int) -> tuple[Item, int] | None:
        """Superlatives and comparatives."""
        word, sheet = words[at], self._grammar.sheet
        english = sheet.comparatives.get(word.form)
        if english is not None:
            amount = word.form in sheet.amounts
            return Item(english, word.start, word.end, compares=True, amount=amount, counts=amount), 1
        mark = {*word.lemmas, word.form}
        following = words[at + 1] if at + 1 < len(words) else None
        if following is None or mark.isdisjoint((*sheet.superlative_marks, *sheet.least_marks)):
            return None
        listed = (sheet.superlatives[each] for each in following.lemmas if each in sheet.superlatives)
        known = next(listed, None)
        if known is None:
            chosen = self._choices.of(following.lemmas)
            degree = "most" if not mark.isdisjoint(sheet.superlative_marks) else "least"
            known = f"{degree} {chosen[0].english}" if chosen else None
        return None if known is None else (Item(known, word.start, following.end), 2)

    def _several(self, words: Sequence[Word], at: int) -> tuple[Item, int] | None:
        """Words that the dictionary has together: a phone number."""
        for size in range(_LONGEST_WORDS, 1, -1):
            near = words[at : at + size]
            if len(near) < size or any(each.kind is not Kind.WORD for each in near):
                continue
            lemmas = " ".join(next(iter(each.lemmas), each.form) for each in near)
            governed = " ".join((next(iter(near[0].lemmas), near[0].form), *(each.form for each in near[1:])))
            found = self._choices.of((lemmas, governed))
            if found:
                item = self._noun(near[0], found, words[:at])
                return replace(item, end=near[-1].end), size
        return None

    def _one(self, word: Word, before: Sequence[Word]) -> Item:
        found = self._choices.of(word.lemmas or (word.form,))
        pack = self._choices.named_by_pack((word.form, *word.lemmas), found[0] if found else None)
        if pack is not None:
            return self._noun(word, (Choice(pack, 1.0),), before)
        if found:
            return self._noun(word, found, before)
        kin = self._choices.kin(word.lemmas)
        if kin:
            return self._noun(word, kin, before)
        named = word.capital or not self._language.keyboard[0]
        spellings = [latin for lemma in word.lemmas[:2] for latin in self._names.latin(lemma)]
        loan = self._choices.heard(spellings) if word.may_be(Part.NOUN) else None
        if loan is not None:
            return self._noun(word, (loan,), before)
        heard = self._names.heard(word) if named else None
        if heard is not None:
            return Item(heard.title(), word.start, word.end, Part.NOUN, "of")
        latin = next(iter(self._names.latin(word.form)), word.form)
        return Item(latin, word.start, word.end, Part.NOUN if word.may_be(Part.NOUN) else None, known=False)

    def _noun(self, word: Word, found: tuple[Choice, ...], before: Sequence[Word]) -> Item:
        """A word with its choices, in the form that it has here."""
        form = _form_of(word, before[-1] if before else None)
        part = form.part if form is not None else Part.NOUN
        case = form.case if form is not None else ""
        many = form.plural if form is not None else False
        return Item(found[0].english, word.start, word.end, part, case, many, found, word)


def _clear(period: PeriodMention) -> PeriodMention:
    """A period without the doubt that a word beside it raises: the word itself is rendered."""
    unclear = period.bound is Bound.UNCLEAR
    return replace(period, bound=None, open_ended=False) if unclear else period


def _described(words: Sequence[Word]) -> tuple[Part | None, str]:
    """What a phrase is in its sentence, where it names a thing, describes a noun or does something."""
    forms = [each.forms[0] for each in words if each.forms]
    noun = next((each for each in forms if each.part is Part.NOUN), None)
    if noun is not None:
        return noun.part, noun.case
    kinds = (Part.ADJECTIVE, Part.PARTICIPLE, Part.VERB)
    return (
        (forms[0].part, forms[0].case) if len(words) == 1 and forms and forms[0].part in kinds else (None, "")
    )


def _form_of(word: Word, before: Word | None) -> WordForm | None:
    """The likeliest form: one that agrees with the adjective before it; one that may be the subject, unless
    something governs it."""
    if not word.forms:
        return None
    if before is not None and before.may_be(Part.ADJECTIVE):
        cases = {(each.case, each.plural) for each in before.forms if each.case}
        agreeing = [each for each in word.forms if (each.case, each.plural) in cases]
        if agreeing:
            return agreeing[0]
    governed = before is not None and (before.may_be(Part.NOUN) or before.may_be(Part.CLOSED))
    subject = (each for each in word.forms if each.case == "name" and each.plural)
    return word.forms[0] if governed else next(subject, word.forms[0])


def _own_names(schema: SchemaWords, language: Language) -> dict[str, str]:
    """Names in the letters of the language, by the forms that messages may have of them: words that were
    taught, and what packs call tables."""
    things = schema.knowledge.things
    taught = [thing.column.info.name for thing in things.all if thing.column is not None and thing.is_taught]
    own = [name for name in (*taught, *things.pack_words) if script_of(name[0]) == language.script]
    lemmas = language.word_forms
    found = {name.casefold(): name for name in own}
    for name in own if lemmas is not None else ():
        for form in lemmas(language, name.casefold()) if lemmas is not None else ():
            found.setdefault(form.lemma, name)
    return found

"""Makes one reading of what was found in a message."""

import re
from collections.abc import Sequence
from typing import Final

from dragoman.catalog.catalog import Catalog
from dragoman.contracts.state import EntityRef
from dragoman.contracts.vocabulary import MetaQuestionKind, Signal
from dragoman.locales.documents import rows_of
from dragoman.reading.change_orders import is_noun
from dragoman.reading.coverage import TALK, Said
from dragoman.reading.extension import Extension
from dragoman.reading.languages import language_of
from dragoman.reading.periods import PeriodMention
from dragoman.reading.phrase_match import Found, Message
from dragoman.reading.phrases import Meaning
from dragoman.reading.reading import Mention, MentionKind, Pick, Reading
from dragoman.reading.tokens import Token
from dragoman.reading.wholes import whole_meaning

_SYMBOL: Final = re.compile(
    r"[^\w\s.,?!:;'\"“”„‟‘’‚‛«»‹›「」『』()\-–—…/&№\U0001f300-\U0001faff\u2600-\u26ff\u2764\ufe0f\u200d]"
)
"""Signs that may change what is asked: a comparison, a percentage, a crossed-out name."""


def _is_one_word_about_an_answer(one: Found) -> bool:
    return len(one.words) == 1 and one.meaning.kind in (MentionKind.META, MentionKind.RECAP)


class Assembly:
    """Makes one reading of what was found."""

    def __init__(
        self,
        catalog: Catalog,
        text: str,
        message: Message,
        found: Sequence[Found],
        periods: list[PeriodMention],
        extension: Extension | None,
        corrections: tuple[tuple[str, str], ...],
    ) -> None:
        self._catalog, self._text, self.message = catalog, text, message
        self._periods, self._extension, self._corrections = periods, extension, corrections
        used = extension.words if extension is not None else frozenset()
        self._found = [one for one in found if used.isdisjoint(one.words)]
        if self._asks_anew():
            # The important debtors of a date are not asked for by a word about an answer.
            self._found = [one for one in self._found if not _is_one_word_about_an_answer(one)]
        self._said = Said(text, message, self._found, periods, extension)

    def unknown(self) -> list[Token]:
        """The words of which nothing is known."""
        covered = {word for one in self._found for word in one.words}
        covered |= self._extension.words if self._extension is not None else frozenset()
        return [token for i, token in enumerate(self.message.tokens) if i not in covered]

    def explains(self, token: Token) -> bool:
        """Whether a word of the text is a part of something here. Nothing ends by a slip."""
        phrase, affirm = whole_meaning(self.message)
        if affirm is not None or phrase not in (None, Signal.ESCAPE_CANCEL):
            return True
        if any(period.start <= token.start < period.end for period in self._periods):
            return True
        return any(known.start == token.start for known in self.message.tokens) and all(
            left.start != token.start for left in self.unknown()
        )

    def reading(self, before: str = "") -> Reading:
        """The reading. `before` is the language of the conversation, for a message without letters."""
        phrase, affirm = None, None
        if not self._periods and self._extension is None:
            phrase, affirm = whole_meaning(self.message)
        excluded_names, used = self._said.rejected()
        dropped, rejecting = self._said.dropped_periods()
        used |= rejecting
        periods = [period for place, period in enumerate(self._periods) if place not in dropped]
        uncovered = self._said.uncovered(used)
        impossible = [period.text for period in periods if not period.possible]
        verbs = self._means(MentionKind.VERB)
        meta = self._meta() if not self._asks_anew() else None
        phrase = phrase or self._talk(uncovered)
        entities, objects, excluded = self._named(excluded_names)
        about_answer = bool(meta or self._has(MentionKind.RECAP))
        quiet = phrase is not None or affirm is not None
        return Reading(
            language=language_of(self._text, self.message.spoken, self._beside_names(), before),
            verb=verbs[0] if len(verbs) == 1 else None,
            verbs=verbs,
            entities=entities,
            period=periods[0] if len(periods) == 1 and not impossible else None,
            periods=len(periods),
            dates=tuple(period for period in self._periods if period.possible or period.open_ended),
            phrase=phrase,
            chooses_scope=self._has(MentionKind.SCOPE_CHOICE),
            uncovered=() if quiet else (*impossible, *uncovered, *_SYMBOL.findall(self._text)),
            objects=objects,
            actions=self._means(MentionKind.ACTION),
            picks=self._picks(),
            anaphor=not about_answer and not quiet and self._extension is None and self._points(),
            mentions=self._mentions(used),
            meta=meta,
            recap=self._has(MentionKind.RECAP),
            extend=self._extension.wish if self._extension is not None else None,
            affirm=affirm,
            wants_write=self._orders() and not about_answer and not quiet,
            carries_date=self._has(MentionKind.CARRY),
            widen=tuple(
                dict.fromkeys(kind for means in self._means(MentionKind.WIDEN) for kind in means.split())
            ),
            excluded=excluded,
            corrections=self._corrections,
            returns=self._has(MentionKind.RETURN),
            guessed=any(
                one.name is not None and not one.name.full and len(one.name.entities) > 1
                for one in self._found
            ),
        )

    def _asks_anew(self) -> bool:
        """Whether a figure is asked for with its date or its owner: what is said of it beside that is no
        question about an answer. A comparison is one all the same."""
        comparison = Meaning(MentionKind.META, MetaQuestionKind.COMPARISON)
        if not self._has(MentionKind.VERB) or any(one.meaning == comparison for one in self._found):
            return False
        return bool(self._periods) or self._has(MentionKind.CARRY) or any(one.name for one in self._found)

    def _meta(self) -> MetaQuestionKind | None:
        """The question about an answer that takes the most words."""
        asked = [one for one in self._found if one.meaning.kind is MentionKind.META]
        longest = max((len(one.words) for one in asked), default=0)
        return next((MetaQuestionKind(one.meaning.means) for one in asked if len(one.words) == longest), None)

    def _has(self, kind: MentionKind) -> bool:
        return any(one.meaning.kind is kind for one in self._found)

    def _orders(self) -> bool:
        """Whether data are to be changed: "transfer it", and not "paid by bank transfer"."""
        message = self.message
        first = message.tokens[0].form if message.tokens else ""
        # "Who may approve it" asks for somebody, and tells nobody to do anything.
        if any(first in rows_of(each).get("who", ()) for each in message.spoken.languages):
            return False
        found = (one.words for one in self._found if one.meaning.kind is MentionKind.WRITE)
        return any(len(at) > 1 or not is_noun(message.tokens, at[0], message.spoken) for at in found)

    def _means(self, kind: MentionKind) -> tuple[str, ...]:
        return tuple(dict.fromkeys(one.meaning.means for one in self._found if one.meaning.kind is kind))

    def _talk(self, uncovered: Sequence[str]) -> Signal | None:
        """Chat, or a question what data there is, where nothing else is said."""
        kinds = {one.meaning.kind for one in self._found}
        if uncovered or self._periods or self._extension or not kinds <= TALK:
            return None
        if MentionKind.DATA_SCOPE in kinds:
            return Signal.DATA_SCOPE
        return Signal.CHAT if MentionKind.CHAT in kinds else None

    def _named(
        self, excluded: set[int]
    ) -> tuple[tuple[EntityRef, ...], tuple[tuple[EntityRef, ...], ...], tuple[EntityRef, ...]]:
        entities: list[EntityRef] = []
        objects: list[tuple[EntityRef, ...]] = []
        rejected: list[EntityRef] = []
        for number, one in enumerate(self._found):
            if one.name is None:
                continue
            refs = tuple(self._catalog.entities[at].ref for at in one.name.entities)
            cards = tuple(ref for ref in refs if ref.kind in self._catalog.cards)
            others = [ref for ref in refs if ref.kind not in self._catalog.cards]
            if number in excluded:
                rejected.extend(refs)
                continue
            entities.extend(others)
            if cards:
                objects.append(cards)
        return tuple(dict.fromkeys(entities)), tuple(dict.fromkeys(objects)), tuple(dict.fromkeys(rejected))

    def _picks(self) -> tuple[Pick, ...]:
        picks: list[Pick] = []
        for one in self._found:
            if one.meaning.kind is MentionKind.ORDINAL:
                picks.append(Pick(place=int(one.meaning.means)))
            elif one.meaning.kind is MentionKind.SUPERLATIVE:
                picks.append(Pick(largest=one.meaning.means == "most"))
        return tuple(dict.fromkeys(picks))

    def _points(self) -> bool:
        """Whether a word points at what is in hand, alone or inside of a phrase."""
        tokens = self.message.tokens
        if self._has(MentionKind.ANAPHOR):
            return True
        pronouns = frozenset(form for v in self.message.vocabularies for form in v.pointing)
        return any(
            tokens[word].form in pronouns
            for one in self._found
            if one.meaning.kind is MentionKind.ACTION
            for word in one.words
        )

    def _beside_names(self) -> tuple[Token, ...]:
        named = {word for one in self._found if one.name is not None for word in one.words}
        named |= self._extension.words if self._extension is not None else frozenset()
        return tuple(token for i, token in enumerate(self.message.tokens) if i not in named)

    def _mentions(self, used: set[int]) -> tuple[Mention, ...]:
        mentions = [
            Mention(MentionKind.PERIOD, p.start, p.end, p.text, "" if p.possible else "impossible")
            for p in self._periods
        ]
        mentions.extend(self._mention(one.words, self._meaning(one)) for one in self._found)
        if self._extension is not None and self._extension.words:
            wish = self._extension.wish
            means = wish.format or wish.target or wish.table
            mentions.append(
                self._mention(tuple(sorted(self._extension.words)), Meaning(MentionKind.EXTEND, means))
            )
        return tuple(sorted(mentions, key=lambda mention: (mention.start, mention.end, mention.kind)))

    def _meaning(self, one: Found) -> Meaning:
        if one.name is None:
            return one.meaning
        refs = [self._catalog.entities[at].ref for at in one.name.entities]
        kind = MentionKind.OBJECT if refs[0].kind in self._catalog.cards else MentionKind.ENTITY
        return Meaning(kind, " | ".join(f"{ref.kind} {ref.id}" for ref in refs[:5]))

    def _mention(self, words: tuple[int, ...], meaning: Meaning) -> Mention:
        start = self.message.tokens[words[0]].start
        end = self.message.tokens[words[-1]].end
        return Mention(meaning.kind, start, end, self._text[start:end], meaning.means)

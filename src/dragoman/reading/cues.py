"""What a message is by the words in it, in whatever order: talk about an answer, a recap, chat, an escape.

Phrases are read first; where none fits, a message of cues and small words alone is of the kind of its cues.
A single word beyond them, and it is not.
"""

from msgspec.structs import replace

from dragoman.contracts.vocabulary import MetaQuestionKind, Signal
from dragoman.locales.documents import lexicon_of, talk_of
from dragoman.reading.cue_lists import Cues, WordList, folded, spoken_cues, words_in
from dragoman.reading.languages import spoken_with
from dragoman.reading.own_escapes import own_escape
from dragoman.reading.reading import MentionKind, Reading

_MOST_WORDS = 14

_ORDER = (
    MetaQuestionKind.BOUNDARY_EXPLANATION,
    MetaQuestionKind.COMPARISON,
    MetaQuestionKind.ANSWER_INTERPRETATION,
    MetaQuestionKind.EVALUATION,
)
"""Which kind a message is whose words are cues of several."""


def cued(text: str, reading: Reading) -> Reading:
    """The reading, with what its cues say where no phrase has said it."""
    words = words_in(text)
    if not words or len(words) > _MOST_WORDS:
        return reading
    spoken = spoken_cues(text, reading.language)
    if _asks_loaded(text, reading, words, spoken):
        return replace(
            reading, phrase=Signal.DATA_SCOPE, asks_loaded=True, meta=None, recap=False, uncovered=()
        )
    said = " ".join(_without_polite(words, spoken))
    for cues in spoken:
        signal = cues.phrases.get(said)
        if signal is not None:
            return replace(reading, phrase=signal, uncovered=())
    if reading.phrase is not None:
        return reading
    if any(said in cues.repeats_alone for cues in spoken):
        return replace(reading, carries_date=True, meta=None, uncovered=())
    escape = (
        own_escape(words, spoken_with(reading.language, text).languages) if _names_nothing(reading) else None
    )
    if escape is not None:
        return replace(reading, phrase=escape, meta=None, recap=False, wants_write=False, uncovered=())
    chats = any(_covers(words, (cues.support, cues.chat), (cues.chat_needs,)) for cues in spoken)
    if chats and not (reading.verbs or reading.objects or reading.entities or reading.actions):
        return replace(reading, phrase=Signal.CHAT, uncovered=())
    if _weighs_meanings(text, reading, words, spoken):
        kind = MetaQuestionKind.ANSWER_INTERPRETATION
        return replace(reading, meta=kind, verbs=(), actions=(), anaphor=False, uncovered=())
    if not _is_bare(reading):
        reading = _recapped(text, reading, spoken)
        return _whether(reading, words, spoken)
    if reading.meta is None and not reading.recap:
        reading = _of_cues(text, reading, words, spoken)
    elif reading.meta is not None and reading.uncovered:
        # The words beside a phrase may be cues as well.
        again = _of_cues(text, reading, words, spoken)
        reading = replace(reading, uncovered=again.uncovered) if again.meta is not None else reading
    reading = _weighed(reading)
    return _whether(_certain(reading, words, spoken), words, spoken)


def _weighs_meanings(text: str, reading: Reading, words: tuple[str, ...], spoken: tuple[Cues, ...]) -> bool:
    """Whether a message asks which of two meanings an answer has: do we owe that, or they us. The words for
    it may be those of a verb, so what is pointed at decides."""
    named = reading.entities or reading.objects or reading.periods or reading.picks or reading.extend
    if named:
        return False
    points = reading.anaphor or any(is_demonstrative(word, reading.language) for word in words)
    of_kind = MetaQuestionKind.ANSWER_INTERPRETATION
    return points and any(
        any(cues.alternatives.has(word) for word in words)
        and _covers(words, (cues.support, cues.meta[of_kind], cues.alternatives), (cues.meta[of_kind],))
        for cues in spoken
    )


def _names_nothing(reading: Reading) -> bool:
    named = reading.verbs or reading.entities or reading.objects or reading.periods or reading.extend
    return not named and reading.affirm is None


def _asks_loaded(text: str, reading: Reading, words: tuple[str, ...], spoken: tuple[Cues, ...]) -> bool:
    """Whether a message asks which periods there are: a word for time and one for what is held, and nothing
    beside them that could be looked up."""
    if reading.entities or reading.objects or reading.periods:
        return False
    # What we have covered so far is no period.
    if reading.extend or reading.wants_write or _asks_whether(words, spoken):
        return False
    for cues in spoken:
        time, there, beside = (cues.loaded[part] for part in ("time", "there", "beside"))
        asks = "?" in text or any(cues.loaded["asks"].has(word) for word in words)
        if asks and _was_brought(reading, words, cues):
            return True
        if reading.verbs or reading.actions:
            continue
        of_time = any(time.has(word) for word in words)
        of_data = any(cues.loaded["needs"].has(word) for word in words)
        if asks and of_time and of_data and _covers(words, (time, there, beside, cues.support), (there,)):
            return True
    return False


def _was_brought(reading: Reading, words: tuple[str, ...], cues: Cues) -> bool:
    """Whether a span of time is asked for in which something was loaded, whatever that is called: for which
    period are the settlements loaded."""
    spans, held = cues.loaded["spans"], cues.loaded["held"]
    if not any(spans.has(word) for word in words) or not any(held.has(word) for word in words):
        return False
    return len([word for word in reading.uncovered if not _is_of(word, spans, held)]) <= 1


def _is_of(word: str, *lists: WordList) -> bool:
    return any(each.has(folded(word)) for each in lists)


def asks_else(word: str, language: str) -> bool:
    """Whether a word asks for something else than the slice in hand: who, where."""
    return any(cues.asks_else.has(folded(word)) for cues in spoken_cues(word, language))


_NAMES = (MentionKind.ENTITY, MentionKind.OBJECT, MentionKind.VERB, MentionKind.PERIOD)


def _without_polite(words: tuple[str, ...], spoken: tuple[Cues, ...]) -> tuple[str, ...]:
    """Without the small words that a message begins or ends with, where something is left."""
    first, last = 0, len(words)
    while first < last and any(cues.polite.has(words[first]) for cues in spoken):
        first += 1
    while last > first and any(cues.polite.has(words[last - 1]) for cues in spoken):
        last -= 1
    return words[first:last] or words


def _recapped(text: str, reading: Reading, spoken: tuple[Cues, ...]) -> Reading:
    """Whether a message asks if something that it names was spoken of."""
    if reading.meta is not None or reading.actions or reading.extend or reading.wants_write:
        return reading
    if reading.chooses_scope and "?" not in text:
        return reading
    words = words_in(_without(text, reading, _NAMES))
    if any(_covers(words, (cues.support, cues.recap), (cues.recap_needs,)) for cues in spoken):
        return replace(reading, recap=True, chooses_scope=False, uncovered=())
    return reading


_WHOLE_PHRASE = 3
_AT_FIRST = 5


def _asks_whether(words: tuple[str, ...], spoken: tuple[Cues, ...]) -> bool:
    """Whether a message begins with our having spoken of something, whatever that is: have we touched on."""
    first, around = words[:_AT_FIRST], (*words[:_AT_FIRST], *words[-2:])
    return any(
        any(cues.speakers.has(word) for word in first) and any(cues.talked.has(word) for word in around)
        for cues in spoken
    )


def _whether(reading: Reading, words: tuple[str, ...], spoken: tuple[Cues, ...]) -> Reading:
    """A question whether something was spoken of is one, also of what no catalog names."""
    said = reading.recap or reading.meta or reading.actions or reading.extend or reading.wants_write
    if said or reading.phrase is not None or reading.verbs or not _asks_whether(words, spoken):
        return reading
    return replace(reading, recap=True, chooses_scope=False)


def says_whole(text: str, reading: Reading) -> bool:
    """Whether a phrase says that an answer is spoken of, or what was discussed, so that no table can be
    meant: "what does that mean", "did we talk about invoices". A cue among other words does not say it."""
    if reading.recap:
        spoken = spoken_cues(text, reading.language)
        said = [word for each in reading.of_kind(MentionKind.RECAP) for word in words_in(each.text)]
        needed = any(cues.recap_needs.has(word) for cues in spoken for word in said)
        return needed or _asks_whether(words_in(text), spoken)
    phrases = reading.of_kind(MentionKind.META)
    if reading.meta is None or reading.uncovered:
        return False
    if not phrases:
        return _weighs_meanings(text, reading, words_in(text), spoken_cues(text, reading.language))
    if any(len(words_in(each.text)) >= _WHOLE_PHRASE for each in phrases):
        return True
    points = any(is_demonstrative(word, reading.language) for word in words_in(text))
    return points and not _beside_mentions(text, reading)


def asks_figure(text: str, reading: Reading) -> bool:
    """Whether a figure is asked for beside whatever a message says of an answer: how many of those were
    high priority, what is the total outstanding there."""
    spoken = spoken_cues(text, reading.language)
    lists = [words for cues in spoken for words in (cues.counting, cues.totals)]
    return any(_is_of(word, *lists) for word in _beside_mentions(text, reading))


def _beside_mentions(text: str, reading: Reading) -> tuple[str, ...]:
    """The words that stand in no phrase."""
    return words_in(_without(text, reading, tuple(MentionKind)))


def compares(word: str, language: str) -> bool:
    """Whether a word holds one thing against another."""
    kind = MetaQuestionKind.COMPARISON
    return any(cues.meta[kind].has(folded(word)) for cues in spoken_cues(word, language))


def asks_total(text: str, language: str) -> bool:
    """Whether a message asks for everything together, and for nothing else."""
    words = words_in(text)
    spoken = spoken_cues(text, language)
    return any(_covers(words, (cues.support, cues.totals, cues.counting), (cues.totals,)) for cues in spoken)


def asks_cause(text: str, language: str) -> bool:
    """Whether a word asks for a cause: why, what stops you."""
    return any(cues.causes.has(word) for cues in spoken_cues(text, language) for word in words_in(text))


def says_nothing(word: str, language: str) -> bool:
    """Whether a word of a recap names nothing that could have been spoken of."""
    lists = [each for cues in spoken_cues(word, language) for each in (cues.support, cues.recap, cues.soft)]
    return any(each.has(folded(word)) for each in lists)


def opinions_in(text: str, language: str) -> tuple[str, ...]:
    """The words of a message that ask for an opinion: no figure says who is the best."""
    spoken = spoken_cues(text, language)
    return tuple(word for word in words_in(text) if any(cues.opinions.has(word) for cues in spoken))


def is_soft(word: str, language: str) -> bool:
    """Whether a word says how something is asked for, and not what."""
    return any(cues.soft.has(folded(word)) for cues in spoken_cues(word, language))


def is_demonstrative(text: str, language: str) -> bool:
    """Whether a word points at whatever was said, and not at an object: this, that, это."""
    lists = [lexicon_of(each)["demonstratives"] for each in spoken_with(language, text).languages]
    return any(word in words for words in lists for word in text.casefold().split())


def is_owned(text: str, before: str, language: str) -> bool:
    """Whether a word that may point at whatever was said is the one that figures are asked of: sales of it.
    What also points at a time is not."""
    for each in spoken_with(language, text).languages:
        talk = talk_of(each)
        if text.casefold() not in talk["pointing"] and before in talk["owners"]:
            return True
    return False


def counts(word: str, language: str) -> bool:
    """Whether a word asks how many."""
    return any(cues.counting.has(folded(word)) for cues in spoken_cues(word, language))


def _is_bare(reading: Reading) -> bool:
    """Whether the message names nothing that could be looked up."""
    named = reading.verbs or reading.entities or reading.objects or reading.actions or reading.periods
    asked = reading.extend or reading.wants_write or reading.affirm is not None or reading.returns
    return not (named or asked or reading.picks)


def _of_cues(text: str, reading: Reading, words: tuple[str, ...], spoken: tuple[Cues, ...]) -> Reading:
    # The month of "for the same month" is the one in hand, and holds nothing against anything.
    telling = words_in(_without(text, reading, (MentionKind.CARRY,)))
    for cues in spoken:
        if _covers(words, (cues.support, cues.recap), (cues.recap_needs,)):
            return replace(reading, recap=True, chooses_scope=False, uncovered=())
        for kind in _ORDER:
            if kind is MetaQuestionKind.EVALUATION and _counts_part(words, cues):
                continue
            # Words of other kinds may stand beside: "is it more reliable".
            if _covers(words, (cues.support, *cues.meta.values()), (cues.meta[kind],), telling):
                return replace(reading, meta=kind, uncovered=())
        if _covers(words, (cues.support, cues.scope), (cues.scope_needs,)):
            return replace(reading, phrase=Signal.DATA_SCOPE, uncovered=())
    return reading


def _counts_part(words: tuple[str, ...], cues: Cues) -> bool:
    """Whether a message counts some of what was found, and asks for no judgement: how many of those are
    high priority."""
    return any(words[: len(phrase)] == phrase for phrase in cues.counting_parts)


def _weighed(reading: Reading) -> Reading:
    """Which is more important asks what weighs most: more than a comparison is said, and goes beyond it."""
    if reading.meta is not MetaQuestionKind.COMPARISON:
        return reading
    found = reading.of_kind(MentionKind.META)
    comparing = [each for each in found if each.means == MetaQuestionKind.COMPARISON]
    beyond = (
        each
        for each in found
        if each.means == MetaQuestionKind.EVALUATION
        and any(one.start <= each.start < one.end < each.end for one in comparing)
    )
    return replace(reading, meta=MetaQuestionKind.EVALUATION) if any(beyond) else reading


def _certain(reading: Reading, words: tuple[str, ...], spoken: tuple[Cues, ...]) -> Reading:
    """How sure an answer is, is one question, whether it was read as a phrase or by its cues."""
    if reading.meta is not MetaQuestionKind.EVALUATION:
        return reading
    certain = MetaQuestionKind.BOUNDARY_EXPLANATION
    if any(cues.meta[certain].has(word) for cues in spoken for word in words):
        return replace(reading, meta=certain)
    return reading


def _without(text: str, reading: Reading, kinds: tuple[MentionKind, ...]) -> str:
    """The text with mentions of some kinds left out."""
    rest = list(text)
    for mention in reading.mentions:
        if mention.kind in kinds:
            rest[mention.start : mention.end] = " " * (mention.end - mention.start)
    return "".join(rest)


def _covers(
    words: tuple[str, ...],
    allowed: tuple[WordList, ...],
    needed: tuple[WordList, ...],
    telling: tuple[str, ...] | None = None,
) -> bool:
    """Whether every word is allowed, and one is needed: one of those that tell something, if not all do."""
    if not any(each.has(word) for each in needed for word in (words if telling is None else telling)):
        return False
    return all(any(each.has(word) for each in allowed) for word in words)

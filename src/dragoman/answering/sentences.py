"""The sentences of a conversation over packs: what was found, how sure it is, what can be done next."""

import datetime as dt
from collections.abc import Sequence

from dragoman.answering import quotations
from dragoman.answering.coverage import Coverage
from dragoman.answering.figures import for_the_eye, total_amount, without_noise
from dragoman.answering.lacks import COMPLETE, LACKING
from dragoman.answering.phrases import Phrases, in_quotes
from dragoman.answering.positions import placed
from dragoman.answering.quotations import asks_knowledge, is_quoted, subject_of
from dragoman.answering.words.headings import headings_of
from dragoman.answering.words.known import CatalogNames
from dragoman.answering.words.names import as_sentence
from dragoman.answering.words.program import programs_in_words
from dragoman.answering.words.taught import taught_meaning
from dragoman.answering.write_target import written_by
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.pack_verb import CatalogVerb
from dragoman.contracts.answer import NAMED_ROWS, AnswerObject, Cell, CellType, Column, Heading
from dragoman.contracts.pack import DateUse, PackArgument
from dragoman.contracts.program import Boolean, Date, Integer, Number, Program, Text
from dragoman.contracts.state import READING, CandidateScope, ClarificationState, EntityRef, ReferenceDate
from dragoman.contracts.taught import TaughtWord
from dragoman.contracts.vocabulary import ClarificationKind, Prior
from dragoman.language.verbs.printer import print_value
from dragoman.locales.registry import FALLBACK
from dragoman.packs.learned_words import is_same
from dragoman.planning.contract import Question, Refusal, Request
from dragoman.planning.packs.anchors import DATE

WRITE_NOT_SUPPORTED = "write_not_supported"
_ANY_YEAR = 2024
"""For an example of a date where nothing says what is loaded."""
_LONGEST_NAMED = 200
"""How much of a text a sentence has room for."""


class Wording:
    """Says things about one catalog in one language."""

    def __init__(self, phrases: Phrases, catalog: Catalog) -> None:
        self.phrases = phrases
        self.catalog = catalog
        self._names = CatalogNames(catalog, phrases.language)

    # Programs.

    def programs(self, programs: Sequence[Program]) -> tuple[str, ...]:
        """Programs in plain words, no two of them alike."""
        self._names.learn(programs)
        return programs_in_words(programs, self._names.known, self.phrases.language)

    def title(self, program: Program) -> str:
        """What a program over tables gives, or asks of knowledge, as the beginning of a sentence."""
        if asks_knowledge(program):
            return as_sentence(subject_of(program, self.phrases))
        return as_sentence(self.programs([program])[0])

    def headings(self, program: Program, columns: tuple[Column, ...]) -> tuple[Heading, ...]:
        """How the columns that a program gave are shown."""
        names = tuple(column.name for column in columns)
        return headings_of(program[0], names, self._names.known, self.phrases.language)

    # Answers.

    def subject(self, request: Request) -> str:
        """What a request is about: `Stock of Alfa Trade on 31 March 2020`, and the plain values it has."""
        arguments = request.verb.spec.arguments
        plain = [f"{self._argument_title(name, arguments[name])} {value}" for name, value in _plain(request)]
        return self._subject(request) + (f" ({', '.join(plain)})" if plain else "")

    def _subject(self, request: Request) -> str:
        say, language = self.phrases.say, self.phrases.language
        title = request.verb.title(language)
        named = request.organization if request.organization != request.focus else None
        organization = self._name(named) if named is not None else ""
        dates = (
            self.phrases.dates(request.dates, as_of=request.verb.date_use is DateUse.AS_OF)
            if request.dates is not None
            else ""
        )
        if request.focus is not None:
            text = say(
                "subject_object",
                title=title,
                object=self._name(request.focus),
                where=organization,
                dates=dates,
            )
            return _tidy(text)
        where = organization
        for entity in request.narrowed:
            shown = self._name(entity)
            where = say("where_narrowed", where=where, kind=self.kind(entity.kind), name=shown).lstrip(", ")
        if not where and not dates:
            return say("subject_plain", title=title)
        if not where:
            return _tidy(f"{title} {dates}")
        return _tidy(say("subject", title=title, where=where, dates=dates))

    def finding(self, answer: AnswerObject) -> str:
        """The result in a few words: the amount, or how many rows and what they add up to."""
        if is_quoted(answer):
            return quotations.finding(answer, self.phrases)
        if len(answer.columns) == 1 and answer.figures:
            return answer.figures[0].value
        if not answer.row_count or (answer.row_count == 1 and answer.rows == ((None,),)):
            return self.phrases.say("nothing")
        if len(answer.columns) == 1 and answer.row_count <= NAMED_ROWS:
            return ", ".join(self.cells(answer, [(0, row[0]) for row in answer.rows]))
        if answer.row_count == 1 and 1 < len(answer.columns) <= NAMED_ROWS and answer.rows:
            return ", ".join(self.cells(answer, list(enumerate(answer.rows[0]))))
        rows = self.phrases.rows(answer.row_count)
        total = total_amount(answer)
        return rows if total is None else self.phrases.say("in_total", rows=rows, total=total)

    def cell(self, answer: AnswerObject, place: int, value: Cell) -> str:
        """A cell as people of the language read it: an entity by its name there."""
        return self.cells(answer, [(place, value)])[0]

    def cells(self, answer: AnswerObject, cells: list[tuple[int, Cell]]) -> list[str]:
        verb = self.catalog.verb(answer.route)
        rounded = {place for place, heading in enumerate(answer.headings) if heading.rounded}
        decimal = {place for place, column in enumerate(answer.columns) if column.type is CellType.DECIMAL}

        def said(place: int, value: Cell) -> Cell:
            if place in rounded:
                return for_the_eye(value)
            return without_noise(value) if place in decimal else value

        return [self._shown(verb, place, said(place, value)) for place, value in cells]

    def _shown(self, verb: CatalogVerb | None, place: int, value: Cell) -> str:
        if value is None:
            return "–"
        kind = verb.columns[place].entity if verb is not None and place < len(verb.columns) else ""
        known = self.catalog.named(kind, str(value)) if kind else None
        if known is not None:
            return known.localized.get(self.phrases.language) or known.ref.name
        text = str(value)
        return text if len(text) <= _LONGEST_NAMED else f"{text[: _LONGEST_NAMED - 1]}…"

    def answer(self, answer: AnswerObject) -> str:
        if is_quoted(answer):
            return quotations.quotation(answer, self.phrases)
        said = self.phrases.say("answer", subject=answer.subject, finding=self.finding(answer))
        return said + (self.phrases.say("limited", reason=answer.note) if answer.note else "")

    def reason(self, coverage: Coverage) -> str:
        """Why something is not covered, or not wholly."""
        if coverage.gap is None:
            return coverage.reason
        span = ""
        if coverage.loaded is not None:
            start, end = coverage.loaded
            span = self.phrases.say("loaded_span", start=start, end=end)
        return self.phrases.say("not_loaded", day=coverage.gap, span=span)

    # Questions.

    def question(self, question: Question, *, not_understood: bool = False) -> str:
        options = self._labels(question.verb, question.candidates)
        more = max(0, question.total - len(options))
        said = self._asked(question.missing[0], question.verb, options, question.named, more)
        return self.phrases.say("did_not_understand", question=said) if not_understood else said

    def choices(self, route: str, offered: tuple[CandidateScope, ...], more: int) -> str:
        """The closed answers to a question, as people of the language call them."""
        return self._options(self._labels(self.catalog.verb(route), offered), more)

    def pending(self, pending: ClarificationState, program: Program) -> str:
        """The question again, which was asked while `program` was in hand."""
        verb = self.catalog.verb(pending.resume_target_route)
        options = self._labels(verb, pending.candidate_scopes)
        if pending.teaches is not None:
            return self.teaching((pending.teaches, *pending.teaches_too))
        if pending.keeps:
            return self.phrases.say("pipeline_ask_keep", path=pending.keeps)
        if pending.clarification_kind is ClarificationKind.CONFIRM_RUN:
            return self.write_question(program, pending.missing_anchors[1:])
        if pending.missing_anchors == (READING,):
            return self.readings(pending.candidate_scopes)
        return self._asked(pending.missing_anchors[0], verb, options, "", 0)

    def teaching(self, words: tuple[TaughtWord, ...], before: TaughtWord | None = None) -> str:
        """Whether words are to mean this, and what the first has meant until now."""
        (word, *more), say, meaning = words, self.phrases.say, self.meaning(words[0])
        if more:
            return "\n".join((say("ask_teach_several"), *map(self._taught_line, words)))
        key, known = ("ask_teach", "") if before is None else ("ask_teach_instead", self.meaning(before))
        return say(key, word=word.word, meaning=meaning, before=known)

    def _taught_line(self, word: TaughtWord) -> str:
        """A word of several with its meaning, and with what it has meant until now if that is another."""
        meaning = self.meaning(word)
        known = next((self.meaning(each) for each in self.catalog.taught if is_same(each, word)), meaning)
        key = "taught_line" if known == meaning else "taught_line_instead"
        return self.phrases.say(key, word=word.word, meaning=meaning, before=known)

    def meaning(self, word: TaughtWord) -> str:
        """What a word means, in plain words where there are any."""
        return taught_meaning(word, self._names, self.phrases)

    def write_question(self, program: Program, replaced: tuple[str, ...] = ()) -> str:
        """Whether to write, and the files that are somebody else's and would be lost."""
        what = written_by(program)
        if not replaced:
            return self.phrases.say("ask_write", what=what)
        return self.phrases.say("ask_replace", what=what, files=self.phrases.joined(replaced))

    def open_question(self, pending: ClarificationState, program: Program) -> str:
        """The question in short, without its options."""
        if pending.waits_for_yes or pending.clarification_kind is ClarificationKind.CONFIRM_READING:
            return self.pending(pending, program)
        if pending.missing_anchors == (READING,):
            return self._which(pending.candidate_scopes)
        verb = self.catalog.verb(pending.resume_target_route)
        return self._asked(pending.missing_anchors[0], verb, (), "", 0)

    def readings(self, offered: tuple[CandidateScope, ...]) -> str:
        """Which of several readings is meant, each on a line of its own; of one, whether it is."""
        say = self.phrases.say
        if len(offered) == 1:
            return say("ask_one_reading", label=offered[0].label)
        numbered = [say("numbered", n=number, label=each.label) for number, each in enumerate(offered, 1)]
        return "\n".join((self._which(offered), *numbered))

    def _which(self, offered: tuple[CandidateScope, ...]) -> str:
        """What tells the readings apart, where that is only what their periods count from."""
        found = [each.reference_date for each in offered if each.reference_date is not None]
        ends = [each.day for each in found if each.of_data]
        if not ends or len(ends) == len(found):
            return self.phrases.say("ask_reading")
        return self.phrases.say("ask_counted_from", day=self.phrases.day(ends[0]))

    def counted_from(self, reference: ReferenceDate | None) -> str:
        """What relative periods count from, said behind an answer."""
        if reference is None:
            return ""
        key = "counted_from_data" if reference.of_data else "counted_from_today"
        return self.phrases.say(key, day=self.phrases.day(reference.day))

    def _labels(self, verb: CatalogVerb | None, candidates: tuple[CandidateScope, ...]) -> tuple[str, ...]:
        """The options as people of the language call them."""
        found = []
        for each in candidates:
            spec = verb.spec.arguments.get(each.anchor) if verb is not None else None
            kind = spec.entity if spec is not None and spec.entity else each.anchor
            found.append((self._name(EntityRef(kind, each.key, each.label)), kind, each.key))
        names = [name for name, _, _ in found]
        return tuple(
            name if names.count(name) == 1 else self._told_apart(name, kind, key) for name, kind, key in found
        )

    def _told_apart(self, name: str, kind: str, key: str) -> str:
        """A name that two have, with what tells them apart."""
        known = self.catalog.entity(kind, key)
        told = ", ".join(text for text in known.told if text) if known is not None else ""
        return f"{name} ({told or key})"

    def _asked(
        self, missing: str, verb: CatalogVerb | None, options: tuple[str, ...], named: str, more: int
    ) -> str:
        say = self.phrases.say
        if missing == DATE:
            return say("ask_date", example=self.phrases.day(self._day(verb)))
        spec = verb.spec.arguments.get(missing) if verb is not None else None
        if spec is not None and not spec.entity:
            return self._asked_value(missing, spec) + self._options(options, more)
        kind = spec.entity if spec is not None and spec.entity else missing
        title = self.kind(kind)
        if named:
            asked = say("ask_named", named=named, kind=title)
        elif kind == self.catalog.anchor:
            asked = say("ask_organization", kind=title)
        else:
            asked = say("ask_object", kind=title)
        return asked + self._options(options, more)

    def _asked_value(self, name: str, argument: PackArgument) -> str:
        """The question for a plain value, by what it is called."""
        return self.phrases.say("ask_value", title=self._argument_title(name, argument))

    def _argument_title(self, name: str, argument: PackArgument) -> str:
        texts = argument.title
        title = texts.get(self.phrases.language) or texts.get(FALLBACK) or name.replace("-", " ")
        return self.phrases.inside(title)

    def _day(self, verb: CatalogVerb | None) -> dt.date:
        """A day of which there are data, for an example."""
        domain = verb.domain if verb is not None else ""
        years = [rule.end.year for rule in self.catalog.coverage if rule.domain == domain]
        return dt.date(max(years, default=_ANY_YEAR), 3, 31)

    def _options(self, options: tuple[str, ...], more: int) -> str:
        if not options:
            return ""
        if more:
            return self.phrases.say("more_options", options=", ".join(options), n=more)
        return self.phrases.say("options", options=", ".join(options))

    # Boundaries.

    def refusal(self, refusal: Refusal) -> str:
        words = in_quotes(refusal.words) if refusal.code == "uncovered_words" else self._listed(refusal.words)
        key = refusal.code if self.phrases.knows(refusal.code) else "unknown_request"
        if key == WRITE_NOT_SUPPORTED and self.catalog.changes:
            # Where something can be changed, "I only read" would not be true.
            return self.phrases.say("no_such_change", changes=self._listed(self._changes()))
        if refusal.position is not None:
            return self.phrases.say(key, *refusal.words, *placed(refusal.position, self.phrases))
        rest = self._listed(refusal.words[1:])
        said = self.phrases.say(key, *refusal.words, words=words, rest=rest)
        if refusal.teachable:
            offer = self.phrases.say("teach_offer", word=refusal.words[0])
            return f"{said} {offer}"
        return said + self.abilities()

    def lacking(self, missing: tuple[Prior, ...], *, of_object: bool) -> str:
        """Nothing fitted: say what was lacking, and what can be asked."""
        say = self.phrases.say
        for priors, key in LACKING:
            if any(prior in missing for prior in priors):
                said = say(key)
                return said if key in COMPLETE else said + self._for_example()
        if of_object:
            return say("nothing_selected") + self._for_example()
        return say("unknown_request") + self.abilities()

    def abilities(self) -> str:
        language = self.phrases.language
        titles = [self.phrases.inside(verb.title(language)) for verb in self.catalog.verbs.values()]
        return self.phrases.say("abilities", abilities=", ".join(titles)) if titles else ""

    def _changes(self) -> tuple[str, ...]:
        """What the write verbs of the packs do."""
        language = self.phrases.language
        return tuple(self.phrases.inside(verb.title(language)) for verb in self.catalog.changes.values())

    def _for_example(self) -> str:
        """Without a pack there is no verb to make an example of."""
        return self.phrases.say("for_example", example=self.example()) if self.catalog.verbs else ""

    def example(self) -> str:
        """A question that would do, made of what there is."""
        language = self.phrases.language
        verb = next(iter(self.catalog.verbs.values()), None)
        if verb is None:
            return "?"
        named = next((self._name(e.ref) for e in self.catalog.organizations()), "")
        rules = [rule for rule in self.catalog.coverage if rule.domain == verb.domain]
        day = self.phrases.day(min(rule.end for rule in rules)) if rules else ""
        date = self.phrases.say("on_day", day=day) if day else ""
        where = named if verb.needed else ""
        title = self.phrases.inside(verb.title(language))
        if not where:
            return _tidy(f"{title} {date}")
        return _tidy(self.phrases.say("subject", title=title, where=where, dates=date))

    # Talk.

    def data_scope(self) -> str:
        names = [self._name(entity.ref) for entity in self.catalog.organizations()]
        shown = names[:NAMED_ROWS] + (["…"] if len(names) > NAMED_ROWS else [])
        return self.phrases.say("data_scope", names=self.phrases.joined(shown)) + self.abilities()

    def kind(self, kind: str) -> str:
        for each in self.catalog.packs.entities.values():
            if each.kind == kind:
                return each.entity.title.get(self.phrases.language) or kind
        return kind

    def _name(self, ref: EntityRef) -> str:
        return self.catalog.shown(ref, self.phrases.language)

    def _listed(self, words: tuple[str, ...]) -> str:
        return self.phrases.joined(words)


def _plain(request: Request) -> list[tuple[str, str]]:
    """The plain values that a request is narrowed by, as they are said."""
    arguments = request.verb.spec.arguments
    return [
        (binding.name, print_value(binding.value).strip('"'))
        for binding in request.bindings
        if binding.name in arguments
        and not arguments[binding.name].entity
        and isinstance(binding.value, Text | Integer | Number | Boolean | Date)
    ]


def _tidy(text: str) -> str:
    """Without what an empty part leaves behind."""
    while "  " in text or ", ," in text:
        text = text.replace("  ", " ").replace(", ,", ",")
    return text.strip(" ,").replace(" ,", ",").replace("of on ", "on ")

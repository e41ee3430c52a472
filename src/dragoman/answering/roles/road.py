"""The road of a draft: plan → retrieve → [specify] → generate → guardian → finalize.

FAST sketches after the plan and takes a light look; what that finds makes it QUALITY. What the guardian
misses is retrieved or written again, as its actions say, within the budget; then the turn ends in a closed
question or a safe refusal.
"""

from collections.abc import Callable

from msgspec.structs import replace

from dragoman.answering.boundaries import boundary
from dragoman.answering.context import TurnContext
from dragoman.answering.draft import Conclusion
from dragoman.answering.questions import offer
from dragoman.answering.roles.architect import PHRASE_SPEC
from dragoman.answering.roles.contract import Drafted, GenerateRequest, Retrieved
from dragoman.answering.roles.next_try import next_generation, next_retrieval
from dragoman.answering.roles.outcome import answer_in, finalize
from dragoman.answering.roles.request_types import DOCUMENT_TYPES
from dragoman.answering.roles.retrieval import first_retrieval, retrieve
from dragoman.catalog.knowledge.verbs import question_in
from dragoman.catalog.shown_columns import shown_columns
from dragoman.contracts import events as ev
from dragoman.contracts.answer import FOUND_OUT, EvidenceItem
from dragoman.contracts.roles import (
    AnalystPlan,
    ArchitectSpec,
    EvidenceSource,
    GuardianAction,
    GuardianReport,
    Track,
    Verdict,
)
from dragoman.contracts.vocabulary import AnswerMode
from dragoman.guards.guardian import (
    Check,
    DraftForm,
    GuardianCase,
    Passed,
    check_of,
    held_back,
    judge,
)
from dragoman.locales.request_words import is_definitive
from dragoman.planning.contract import Candidate

Look = Callable[[], Conclusion]
"""Asks the database, and says what it found as the house says it; or how the turn ends instead."""

_FACTS = (AnswerMode.CONFIRMED, AnswerMode.LIMITED)


def by_roles(context: TurnContext, plan: AnalystPlan, look: Look) -> Conclusion:
    """An answer whose draft the guardian has passed; or the question, refusal or failure in its place."""
    return _Road(context, plan, look).walk()


class _Road:
    def __init__(self, context: TurnContext, plan: AnalystPlan, look: Look) -> None:
        self._context = context
        self._stages = context.stages
        self._plan = plan
        self._look = look
        self._track = context.stages.track
        self._how = first_retrieval(plan)
        rules = context.stages.roles.rules
        self._stated = rules.required(plan.request_type) if rules is not None else ()
        self._unsaid = rules.forbidden(plan.request_type) if rules is not None else ()
        self._writing = GenerateRequest(say=self._stated)
        self._spec: ArchitectSpec | None = None
        self._denied: tuple[str, ...] = ()

    def walk(self) -> Conclusion:
        conclusion = self._look()
        found = self._retrieved(conclusion)
        while found is not None:
            draft, spec = self._drafted(found)
            judged = self._judged(found, draft, spec)
            if isinstance(judged, Passed):
                self._stages.keep("" if draft.text == conclusion.message else draft.text)
                return finalize(self._context, judged, conclusion, found)
            if judged.verdict is Verdict.RETRY:
                self._stages.retries += 1
                conclusion, found = self._again(judged, spec or PHRASE_SPEC, conclusion, found)
            elif self._track is Track.FAST and check_of(judged.reasons[0]) is not Check.POLICY:
                # What a light look does not like gets a careful one.
                self._track = Track.QUALITY
            else:
                return self._way_out(judged, draft, found)
        return conclusion

    def _retrieved(self, conclusion: Conclusion, kept: tuple[EvidenceItem, ...] = ()) -> Retrieved | None:
        """What was found for the plan; None where the turn has ended without finding anything out."""
        answer = answer_in(conclusion)
        if answer is None or answer.gate.truth_mode not in FOUND_OUT:
            self._stages.lap("retrieve")
            return None
        context = self._context
        # A program that is run again asks what it says, and not "run it".
        of_texts = self._plan.request_type in DOCUMENT_TYPES
        query = (question_in(answer.program) if of_texts else "") or context.text
        language = context.phrases.language
        items = retrieve(
            self._plan,
            self._how,
            kept or answer.evidence,
            self._stages.roles.providers,
            query=query,
            language=language,
        )
        self._stages.lap("retrieve")
        return Retrieved(self._plan, query, language, conclusion.message, answer, items)

    def _drafted(self, found: Retrieved) -> tuple[Drafted, ArchitectSpec | None]:
        """A sketch needs the plan alone; a draft of the track QUALITY needs a specification."""
        roles, stages = self._stages.roles, self._stages
        if self._track is Track.FAST:
            sketch = roles.writer.sketch(self._plan, found, self._writing)
            stages.lap("generate")
            return sketch, None
        if self._spec is None:
            spec = roles.architect.specify(self._plan, found)
            forbidden = tuple(dict.fromkeys((*spec.forbidden_content, *self._unsaid)))
            self._spec = replace(spec, forbidden_content=forbidden)
            self._context.draft.note(ev.SpecDrawn(self._spec))
        stages.lap("specify")
        draft = roles.writer.write(self._spec, found, self._writing)
        stages.lap("generate")
        return draft, self._spec

    def _judged(
        self, found: Retrieved, draft: Drafted, spec: ArchitectSpec | None
    ) -> Passed | GuardianReport:
        roles = self._stages.roles
        self._denied = self._denying(found, draft)
        case = GuardianCase(
            request_type=self._plan.request_type,
            track=self._track,
            retry_count=self._stages.retries,
            evidence=found.items,
            draft=draft.text,
            spec=spec,
            coverage=found.answer.gate.coverage_status,
            form=draft.form,
            denied=self._denied,
            unsaid=self._unsaid,
            stated=self._stated,
            configured=(EvidenceSource.DB, *(each.source for each in roles.providers)),
            shape=self._plan.expected_output_schema,
        )
        judged = judge(case, is_definitive)
        if isinstance(judged, Passed) and roles.reviewer is not None:
            reasons = roles.reviewer.objections(case)
            judged = held_back(case, reasons) if reasons else judged
        report = judged.report if isinstance(judged, Passed) else judged
        self._context.draft.note(self._stages.judged(report, self._track))
        self._stages.lap("guard")
        return judged

    def _denying(self, found: Retrieved, draft: Drafted) -> tuple[str, ...]:
        """The rules of the workspace against what was asked, or against what would be shown."""
        rules, asked = self._stages.roles.rules, self._plan.request_type
        if rules is None:
            return ()
        denied = rules.denying(asked, found.query, draft.text)
        shown = shown_columns(self._context.catalog, found.answer)
        return tuple(dict.fromkeys((*denied, *rules.showing(asked, shown))))

    def _again(
        self, report: GuardianReport, spec: ArchitectSpec, conclusion: Conclusion, found: Retrieved
    ) -> tuple[Conclusion, Retrieved | None]:
        """What lacks evidence enters at Retrieve again, what is written badly at Generate."""
        actions = report.required_actions
        if check_of(report.reasons[0]) is not Check.EVIDENCE:
            self._writing = next_generation(self._writing, spec, actions)
            return conclusion, found
        self._how = next_retrieval(self._how, found, actions)
        kept = found.items
        if self._how.again:
            conclusion = self._look()
            answer = answer_in(conclusion)
            fresh = answer.evidence if answer is not None else ()
            kept = (*fresh, *(each for each in kept if each.source is not EvidenceSource.DB))
        return conclusion, self._retrieved(conclusion, kept)

    def _way_out(self, report: GuardianReport, draft: Drafted, found: Retrieved) -> Conclusion:
        """A closed question where there are other readings, otherwise a refusal that says why."""
        context = self._context
        self._stages.keep(draft.text, found.items)
        context.draft.take_back()
        others = _other_readings(context)
        if GuardianAction.ASK_MINIMAL_QUESTION in report.required_actions and others:
            return offer(context, others)
        return refused_by_guardian(context, report, found.answer.route, self._denied)


def _other_readings(context: TurnContext) -> tuple[Candidate, ...]:
    """What else the message may have meant, to be offered; never an open question."""
    return tuple(each for each in context.proposal.candidates[1:] if not each.uncovered and not each.writes)


def refused_by_guardian(
    context: TurnContext, report: GuardianReport, route: str = "", denied: tuple[str, ...] = ()
) -> Conclusion:
    """The safe refusal. Its code is the guardian's first reason; what a rule says of itself is told."""
    code, rules = report.reasons[0], context.stages.roles.rules
    why = context.phrases.say(f"refused_{check_of(code)}")
    because = rules.reasons(denied) if rules is not None else ()
    if because:
        why = f"{why} ({' '.join(because).rstrip('.')})"
    return boundary(context, code, context.phrases.say("safe_refusal", reason=why), route=route)


def with_stages(context: TurnContext, conclusion: Conclusion) -> Conclusion:
    """The end of every turn: what did not go down the road of a draft is a sentence of the house, and has its
    light look too."""
    if context.stages.report is None:
        conclusion = _phrase_judged(context, conclusion)
    return replace(conclusion, events=(*conclusion.events, context.stages.timed()))


def _phrase_judged(context: TurnContext, conclusion: Conclusion) -> Conclusion:
    stages, plan = context.stages, context.plan
    facts = conclusion.answer_mode in _FACTS
    rules = stages.roles.rules if facts else None
    denied = rules.denying(plan.request_type, context.text, conclusion.message) if rules else ()
    if facts and stages.track is Track.QUALITY:
        context.draft.note(ev.SpecDrawn(PHRASE_SPEC))
    judged = judge(
        GuardianCase(
            plan.request_type,
            stages.track,
            0,
            (),
            conclusion.message,
            form=DraftForm.PHRASE,
            denied=denied,
        )
    )
    if isinstance(judged, Passed):
        context.draft.note(stages.judged(judged.report, stages.track))
        return conclusion
    context.draft.note(stages.judged(judged, stages.track))
    return refused_by_guardian(context, judged, denied=denied)

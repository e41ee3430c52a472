"""Pipelines in words: what will be moved from where to where, and what came of it."""

from dragoman.answering.context import TurnContext
from dragoman.contracts import events as ev
from dragoman.contracts.program import Program, Statement
from dragoman.language.parameters import PIPELINE, head_of
from dragoman.planning.contract import Candidate
from dragoman.planning.pipelines.pipeline import needed, said_in

_SHOWN = 6
SCHEDULE = "schedule: "


def account(context: TurnContext) -> "Account":
    return Account(context)


class Account:
    """Says what a pipeline does in the language of the turn."""

    def __init__(self, context: TurnContext) -> None:
        self._context = context
        self._say = context.phrases.say

    def named(self, program: Program) -> str:
        """What is written where, in a few words: orders, customers → @warehouse."""
        writers = self.writers(program)
        names = [self.written(each) for each in writers[:_SHOWN]]
        more = len(writers) - len(names)
        listed = ", ".join(names) + (self._say("pipeline_more", n=more) if more else "")
        places = dict.fromkeys(said_in(each, "connection") for each in writers)
        ends = ", ".join(place for place in places if place)
        return f"{listed} → {ends}" if ends else listed

    def offered(self, candidate: Candidate) -> str:
        """One pipeline of several: what it reads, in plain words where there are any, and where it goes."""
        remedy, _, words = candidate.label.partition("\n")
        if words:
            return self._say(remedy, words=words)
        reads = [
            step
            for step in self.readers(candidate.program).values()
            if self._context.catalog.is_of_table(step)
        ]
        said = self._context.wording.programs([(step,) for step in reads[:1]])
        end = candidate.label or self.named(candidate.program)
        return f"{said[0]} → {self.named(candidate.program)}" if said else end

    def unread(self, candidate: Candidate) -> str:
        if not candidate.uncovered:
            return ""
        words = ", ".join(f"“{word}”" for word in candidate.uncovered)
        return self._say("uncovered_words", words=words) + " "

    def writers(self, program: Program) -> tuple[Statement, ...]:
        return tuple(
            each for each in program if each.verb != PIPELINE and self._context.catalog.writes((each.verb,))
        )

    def written(self, writer: Statement) -> str:
        return said_in(writer, "path") or said_in(writer, "table") or writer.verb

    def plan(self, program: Program, candidate: Candidate, replaced: tuple[str, ...]) -> str:
        """What was looked at, what will be written, what is to be known beside it, and the question."""
        lines = [self._discovered()]
        lines.append(self.unread(candidate).strip())
        lines.append(self._say("pipeline_plan", n=len(self.writers(program)), what=self.named(program)))
        lines += self._notes(program, candidate)
        if replaced:
            files = self._context.phrases.joined(replaced)
            lines.append(self._say("pipeline_replaces", files=files))
        lines.append(self._say("pipeline_ask"))
        return "\n".join(line for line in lines if line)

    def _discovered(self) -> str:
        done = [each for each in self._context.proposal.synthesis if isinstance(each, ev.DiscoveryDone)]
        if not done:
            return ""
        key = "pipeline_known" if done[0].cached else "pipeline_discovered"
        return self._say(key, name=done[0].connection, tables=done[0].tables)

    def _notes(self, program: Program, candidate: Candidate) -> list[str]:
        found = []
        for note in candidate.notes:
            if note.startswith(SCHEDULE):
                name = self.name(program)
                found.append(self._say("pipeline_schedule", cron=note.removeprefix(SCHEDULE), name=name))
            elif self._context.phrases.knows(note):
                found.append(self._say(note))
        return found

    def name(self, program: Program) -> str:
        head = head_of(program)
        return (said_in(head, "name") if head is not None else "") or "pipeline"

    def readers(self, program: Program) -> dict[str, Statement]:
        """The reader behind each writer, by what the writer binds."""
        by_symbol = {each.binds: each for each in program if each.binds}
        found = {}
        for writer in self.writers(program):
            step = writer
            while (needs := needed(step)) and needs[0] in by_symbol:
                step = by_symbol[needs[0]]
            found[writer.binds] = step
        return found

"""How a run of dialogues went, counted."""

from dragoman.conversation_tests.dialogue import Expectation
from dragoman.conversation_tests.runner import TestedTurn


class Totals:
    """Counts turns as they are held."""

    def __init__(self) -> None:
        self.dialogues = 0
        self.turns = 0
        self.differing_turns = 0
        self.errors = 0
        self.met: dict[Expectation, int] = {}
        self.expected: dict[Expectation, int] = {}

    def count(self, tested: TestedTurn) -> None:
        self.turns += 1
        self.dialogues += tested.line.turn == 1
        self.errors += tested.line.error is not None
        self.differing_turns += bool(tested.differences)
        missed = {difference.expectation for difference in tested.differences}
        for expectation in tested.turn.expected:
            self.expected[expectation] = self.expected.get(expectation, 0) + 1
            self.met[expectation] = self.met.get(expectation, 0) + (expectation not in missed)

    @property
    def all_as_expected(self) -> bool:
        return not self.differing_turns

    def sentence(self) -> str:
        """One line: how many turns went as expected, and how often each expectation was met."""
        well = self.turns - self.differing_turns
        parts = [
            f"{well} of {self.turns} turns in {self.dialogues} dialogues went as expected",
            *(f"{e.label} {self.met[e]}/{self.expected[e]}" for e in Expectation if e in self.expected),
        ]
        if self.errors:
            parts.append(f"{self.errors} turns failed with an error")
        return " · ".join(parts)

    def as_object(self) -> dict[str, object]:
        return {
            "dialogues": self.dialogues,
            "turns": self.turns,
            "differing_turns": self.differing_turns,
            "errors": self.errors,
            "expectations": {
                e.label: {"met": self.met[e], "expected": self.expected[e]}
                for e in Expectation
                if e in self.expected
            },
        }

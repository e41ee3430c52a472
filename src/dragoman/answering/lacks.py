"""What is said where a message lacked its prior state: the first of these that fits."""

from dragoman.contracts.vocabulary import Prior

LACKING: tuple[tuple[tuple[Prior, ...], str], ...] = (
    ((Prior.OBJECT_OR_RESULT_SET, Prior.OBJECT), "nothing_selected"),
    ((Prior.ROOT,), "nothing_to_follow"),
    ((Prior.HISTORY,), "nothing_to_undo"),
    ((Prior.CLARIFICATION, Prior.UNRESOLVED_REFS), "no_question"),
    ((Prior.READY,), "no_program"),
    ((Prior.PROGRAM,), "no_result"),
    ((Prior.GROUNDED_ANSWER,), "nothing_said"),
    ((Prior.ANSWER,), "nothing_to_judge"),
)
COMPLETE = frozenset({"nothing_to_undo", "no_question", "no_program"})
"""Sentences that need no example behind them."""

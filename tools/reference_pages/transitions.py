"""docs/reference/transitions.md: the registry as a table, a diagram, and class by class."""

from collections.abc import Sequence

from dragoman.cli.reference.mermaid import transitions_mermaid
from dragoman.contracts.transition import EntryCondition, Transition
from dragoman.session.registry import REGISTRY
from tools.reference_pages.markdown import anchor, code, fenced, page, table

_INTRODUCTION = """\
Every turn of a session is one of these classes. What the properties mean and how they are enforced is told in
[transitions](../transitions.md); the words used here are explained in the [vocabulary](vocabulary.md).
The turn's own record (`turn`) is written by every class and stands in no list.

![Every class and its properties as a picture](transitions.svg)"""


def transitions_page() -> str:
    details = [_details(transition) for transition in REGISTRY]
    diagram = fenced("mermaid", transitions_mermaid(REGISTRY))
    return page(
        "Transitions",
        _INTRODUCTION,
        "## The registry",
        _overview(REGISTRY),
        "## What each class needs and may change",
        "An arrow comes from what must be there before the turn; a class without one needs nothing.",
        diagram,
        "## Class by class",
        *details,
    )


def _overview(registry: Sequence[Transition]) -> str:
    heads = ("class", "needs", "carries", "may change", "must not", "ends in")
    rows = [
        (
            f"[{t.id}](#{anchor(_heading(t))}) {t.title}",
            code(t.required_prior_state),
            f"`{t.allowed_carryover_depth}`",
            code(t.state_mutations),
            code(t.forbidden_carryover),
            code(t.expected_answer_modes),
        )
        for t in registry
    ]
    return table(heads, rows)


def _heading(transition: Transition) -> str:
    return f"{transition.id}: {transition.title}"


def _details(transition: Transition) -> str:
    rows = (
        ("`entry_condition`", _condition(transition.entry_condition)),
        ("`required_prior_state`", code(transition.required_prior_state)),
        ("`allowed_carryover_depth`", f"`{transition.allowed_carryover_depth}`"),
        ("`state_mutations`", code(transition.state_mutations)),
        ("`forbidden_carryover`", code(transition.forbidden_carryover)),
        ("`expected_answer_modes`", code(transition.expected_answer_modes)),
        ("`owner`", f"`{transition.owner}`"),
        ("`precedence`", str(transition.precedence)),
        ("`source`", transition.source),
    )
    return f"### {_heading(transition)}\n\n{table(('property', 'value'), rows)}"


def _condition(condition: EntryCondition) -> str:
    signals = (("all of", condition.all_of), ("one of", condition.any_of), ("none of", condition.none_of))
    parts = [f"{words} {code(names)}" for words, names in signals if names]
    return f"{condition.text}: {'; '.join(parts)}" if parts else f"{condition.text} (it always holds)"

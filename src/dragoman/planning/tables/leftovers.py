"""What still waits when a message is read to its end: a part has a meaning, the rest counts against it."""

from dragoman.planning.tables.partial_reading import Draft, Having, Measure, Sorting
from dragoman.planning.tables.weights import Features


def settled(draft: Draft) -> tuple[Draft, Features]:
    """What still waits at the end: some of it has a meaning, the rest counts against the reading."""
    waiting = draft.waiting
    features: Features = []
    changes: dict[str, object] = {}
    if waiting.counting:
        if not draft.counted:
            changes["counted"] = (None,)
        features.append(("left.count", 1.0))
    if waiting.extreme:
        if draft.extreme is None:
            changes["extreme"] = Sorting(None, waiting.extreme in ("most", "common"))
        features.append((f"left.{waiting.extreme}", 1.0))
    if waiting.numbers and waiting.comparison and not draft.having:
        features.append(("left.compared", 1.0))
        changes["having"] = (Having(Measure("count"), waiting.comparison, waiting.numbers[-1]),)
    elif waiting.numbers:
        features.append(("left.number", 1.0))
    elif waiting.comparison:
        features.append(("left.comparison", 1.0))
    for name, there in (
        ("verbs", waiting.verbs),
        ("group", waiting.grouping),
        ("like", waiting.like),
        ("negative", waiting.negative),
        ("first", waiting.first),
        ("held", draft.held is not None),
    ):
        if there:
            features.append((f"left.{name}", 1.0))
    open_words = [*waiting.verbs, *([waiting.text] if waiting.text else [])]
    if waiting.comparison and "having" not in changes:
        open_words.append(waiting.comparison)
    if waiting.numbers and "having" not in changes:
        open_words.extend(f"{number:g}" for number in waiting.numbers)
    if open_words:
        changes["uncovered"] = (*draft.uncovered, *open_words)
    if waiting.text:
        features.append(("left.text", 1.0))
    return (draft.changed(**changes) if changes else draft), features

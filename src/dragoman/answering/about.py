"""Questions about answers (T8): computed from the answers in context, never looked up again."""

import re
from decimal import Decimal, InvalidOperation

from dragoman.answering.figures import for_the_eye, single_figure
from dragoman.answering.quotations import is_quoted
from dragoman.answering.sentences import Wording
from dragoman.catalog.cells import has_units
from dragoman.contracts.answer import AnswerObject, CellType
from dragoman.contracts.pack import Sign
from dragoman.contracts.record import Record
from dragoman.contracts.state import DateScope
from dragoman.contracts.vocabulary import MetaQuestionKind, Origin, TruthMode
from dragoman.locales.registry import FALLBACK
from dragoman.planning.packs.anchors import DATE, bindings_of, bound

_NO_AMOUNT = re.compile(r"(^|_)(id|key|no|number|code|year|month|day|zip|phone)$", re.I)
_ADDITIVE = (".sum", ".count")
_EXTREMES = (".min", ".max", ".average", ".top", ".list")


class Spoken(Record, frozen=True):
    """What is said about an answer, and which one it is about."""

    source: AnswerObject
    kind: MetaQuestionKind
    message: str


def speak(
    asked: MetaQuestionKind, answers: tuple[AnswerObject, ...], root: AnswerObject | None, wording: Wording
) -> Spoken | None:
    """The answer to a question about `answers`, oldest first; None where there is none to speak of."""
    if not answers:
        return None
    if asked is MetaQuestionKind.ANSWER_INTERPRETATION and not answers[-1].grounded:
        # What was said last was a refusal: it is that which wants to be explained.
        asked = MetaQuestionKind.BOUNDARY_EXPLANATION
    source = _source(asked, answers)
    sure = source.truth_mode is TruthMode.CONFIRMED
    kind = MetaQuestionKind.EVALUATION if asked is MetaQuestionKind.BOUNDARY_EXPLANATION and sure else asked
    match asked:
        case MetaQuestionKind.BOUNDARY_EXPLANATION:
            message = _certainty(source, wording)
        case MetaQuestionKind.COMPARISON:
            message = _comparison(source, answers, wording)
        case MetaQuestionKind.ANSWER_INTERPRETATION:
            message = _meaning(source, wording)
        case MetaQuestionKind.EVALUATION | MetaQuestionKind.MEMORY_RECAP:
            message = _evaluation(source, answers, root, wording)
    return Spoken(source, kind, message)


def _source(asked: MetaQuestionKind, answers: tuple[AnswerObject, ...]) -> AnswerObject:
    """Why not is asked of a refusal; how big something is, of what was found."""
    # A refusal is what "why not?" is about. Everything else is asked of what was found, even if a refusal
    # came in between.
    if asked is MetaQuestionKind.BOUNDARY_EXPLANATION:
        return answers[-1]
    return next((answer for answer in reversed(answers) if answer.grounded), answers[-1])


def _certainty(source: AnswerObject, wording: Wording) -> str:
    say = wording.phrases.say
    if is_quoted(source):
        # Nothing was counted: what makes it sure is that it stands there.
        key = "sure_quoted" if source.truth_mode is TruthMode.CONFIRMED else "limited_quoted"
        return say(key, reason=source.note or _codes(source), turn=source.turn_index)
    match source.truth_mode:
        case TruthMode.CONFIRMED:
            return say("sure", turn=source.turn_index)
        case TruthMode.LIMITED:
            return say("why_limited", reason=source.note or _codes(source), turn=source.turn_index)
        case TruthMode.UNSUPPORTED | TruthMode.CLARIFICATION_REQUIRED:
            return say("why_refused", reason=source.note or _codes(source))


def _codes(source: AnswerObject) -> str:
    return ", ".join(source.gate.reason_codes)


def _evaluation(
    source: AnswerObject, answers: tuple[AnswerObject, ...], root: AnswerObject | None, wording: Wording
) -> str:
    """How big it is: a share, a place, or a change against an earlier answer."""
    say = wording.phrases.say
    if not source.grounded:
        return _certainty(source, wording)
    if is_quoted(source):
        return say("answer", subject=source.subject, finding=wording.finding(source))
    amounts = _amounts(source)
    single = single_figure(source) if len(source.columns) == 1 else None
    if single is not None:
        other = _comparable(source, answers)
        if other is None or single_figure(other) is None or not _of_one_kind(source, other, wording):
            return say("single_figure", value=wording.finding(source))
        return _against(source, other, wording)
    if not source.row_count:
        return say("nothing_there")
    placed = _place_in(source, root, wording)
    if amounts is None and placed is None:
        if _is_of_table(source, wording):
            return say("rows_only", rows=wording.phrases.rows(source.row_count))
        return say("answer", subject=source.subject, finding=wording.finding(source))
    if placed is not None or amounts is None:
        return placed or ""
    names, values = amounts
    rows = wording.phrases.rows(source.row_count)
    if source.row_count == 1:
        return say("only_one", name=names[0], value=_shown(values[0]))
    if source.row_count > len(values):
        # Nobody has seen the others here: the largest may be among them.
        return say("not_at_hand", n=len(values), rows=rows)
    total = sum(values, Decimal(0))
    top = max(range(len(values)), key=lambda i: values[i])
    shown = {"name": names[top], "value": _shown(values[top]), "rows": rows}
    if total <= 0 or min(values) < 0 or not _adds_up(source):
        return say("largest_negative", **shown)
    return say("largest", share=_percent(values[top] / total), total=_shown(total), **shown)


def _place_in(source: AnswerObject, root: AnswerObject | None, wording: Wording) -> str | None:
    """The place of an object's own figure among the rows it was opened from."""
    if root is None or root.ref == source.ref or source.row_count != 1:
        return None
    found = _amounts(root)
    if found is None:
        return None
    names, values = found
    # A row is known among the others by its name, in whichever column that stands.
    named = [str(cell) for cell in source.rows[0] if isinstance(cell, str) and names.count(str(cell)) == 1]
    if not named:
        return None
    name, value = named[0], values[names.index(named[0])]
    mine = _amounts(source)
    if mine is not None and mine[1][0] != value:
        # Another figure of the same row: its salary is not ranked by its patients.
        return None
    total = sum(values, Decimal(0))
    if total <= 0 or min(values) < 0 or root.row_count > len(values) or len(values) < 2:
        return None
    if not _adds_up(root):
        return None
    rank = 1 + sum(1 for each in values if each > value)
    return wording.phrases.say(
        "rank",
        name=name,
        rank=rank,
        n=len(values),
        value=_shown(value),
        share=_percent(value / total),
        total=_shown(total),
    )


def _comparison(source: AnswerObject, answers: tuple[AnswerObject, ...], wording: Wording) -> str:
    """The last two answers that can be held against each other, the earlier period first."""
    say = wording.phrases.say
    other = _comparable(source, answers)
    if other is None:
        return say("nothing_to_compare")
    old, new = single_figure(other), single_figure(source)
    if old is None or new is None:
        return say(
            "compare_rows",
            subject=other.subject,
            finding=_summed(other, wording),
            other_subject=source.subject,
            other_finding=_summed(source, wording),
        )
    if other.route != source.route:
        return _against(source, other, wording)
    earlier, later = _in_time(other, source, wording)
    text = _against(later, earlier, wording)
    before, after = Decimal(single_figure(earlier) or 0), Decimal(single_figure(later) or 0)
    key = "grew" if after > before else "fell" if after < before else "unchanged"
    return say(key, text=text)


def _summed(answer: AnswerObject, wording: Wording) -> str:
    found = wording.finding(answer)
    if len(answer.columns) > 1 and len(answer.figures) == 1 and answer.columns[-1].name != "amount":
        rows = wording.phrases.rows(answer.row_count)
        return wording.phrases.say("in_total", rows=rows, total=answer.figures[0].value)
    return found


def _against(later: AnswerObject, earlier: AnswerObject, wording: Wording) -> str:
    say = wording.phrases.say
    new, old = Decimal(single_figure(later) or 0), Decimal(single_figure(earlier) or 0)
    by = new - old
    percent = f"{'+' if by > 0 else ''}{_percent(by / abs(old))} %" if old else "–"
    change = say("same") if not by else say("more" if by > 0 else "less", by=_shown(abs(by)), percent=percent)
    return say(
        "against",
        value=_spoken(later, new),
        subject=later.subject,
        other=_spoken(earlier, old),
        other_subject=earlier.subject,
        change=change,
    )


def _meaning(source: AnswerObject, wording: Wording) -> str:
    """What a figure means: its sign read as the pack says, or the definition of its verb."""
    say, language = wording.phrases.say, wording.phrases.language
    verb = wording.catalog.verb(source.route)
    if source.grounded and _is_of_table(source, wording):
        return say("means_read", finding=wording.finding(source), subject=source.subject)
    if verb is None or not source.grounded:
        return say("means_nothing", finding=wording.finding(source))
    for index, column in enumerate(verb.columns):
        if not column.signs or not source.rows:
            continue
        values = [_number(row[index]) for row in source.rows]
        names = [str(row[0]) for row in source.rows]
        said = []
        for name, value in zip(names, values, strict=True):
            texts = column.signs.get(_sign(value))
            if texts is not None:
                shown = _shown(value) if len(verb.columns) == 1 else f"{name} {_shown(value)}"
                said.append(say("means", value=shown, meaning=texts.get(language) or texts.get(FALLBACK, "")))
        if said:
            return " ".join(said[:5])
    definition = verb.definition(language)
    if definition:
        return say("means_definition", definition=definition, value=wording.finding(source))
    return say("means_nothing", finding=wording.finding(source))


def _sign(value: Decimal) -> Sign:
    return Sign.POSITIVE if value > 0 else Sign.NEGATIVE if value < 0 else Sign.ZERO


def _comparable(source: AnswerObject, answers: tuple[AnswerObject, ...]) -> AnswerObject | None:
    """The newest other answer of the same kind that says something else; else any other that was found."""
    others = [
        a for a in reversed(answers) if a.grounded and a.ref != source.ref and a.program != source.program
    ]
    return next((a for a in others if a.route == source.route), None) or next(
        (a for a in others if a.columns == source.columns), None
    )


def _of_one_kind(source: AnswerObject, other: AnswerObject, wording: Wording) -> bool:
    """Whether one figure says how big the other is: invoices and customers are both counted, and neither is
    much of the other. What a pack's verbs say is theirs to compare."""
    return source.route == other.route or not _is_of_table(source, wording)


def _is_of_table(answer: AnswerObject, wording: Wording) -> bool:
    """Whether a verb of a table gave an answer, which nobody has defined any further."""
    catalog = wording.catalog
    return catalog.verb(answer.route) is None and catalog.tables_for(answer.route) is not None


def _in_time(one: AnswerObject, two: AnswerObject, wording: Wording) -> tuple[AnswerObject, AnswerObject]:
    first, second = _dates(one, wording), _dates(two, wording)
    if first is not None and second is not None and first.end > second.end:
        return two, one
    return one, two


def _dates(answer: AnswerObject, wording: Wording) -> DateScope | None:
    verb = wording.catalog.verb(answer.route)
    if verb is None or not answer.program:
        return None
    anchor = bound(verb, bindings_of(answer.program[0], Origin.ANSWER), Origin.ANSWER).get(DATE)
    return anchor.dates if anchor is not None else None


def _amounts(answer: AnswerObject) -> tuple[list[str], list[Decimal]] | None:
    """What the rows are called, and their amounts, where they have one and it is of the same unit."""
    column = _amount_column(answer)
    if column is None or not answer.rows or len(answer.columns) < 2 or has_units(answer.columns, answer.rows):
        return None
    name = _name_column(answer)
    return [str(row[name]) for row in answer.rows], [_number(row[column]) for row in answer.rows]


def _name_column(answer: AnswerObject) -> int:
    """The column that rows are told by: the first, or the first text behind a number that is their key."""
    if answer.columns[0].type is not CellType.INTEGER:
        return 0
    return next((i for i, column in enumerate(answer.columns) if column.type is CellType.TEXT), 0)


def _amount_column(answer: AnswerObject) -> int | None:
    """The first amount, or the count that the rows end in; a key or a year is none."""
    found = next((i for i, c in enumerate(answer.columns) if c.type is CellType.DECIMAL), None)
    if found is not None or not answer.columns:
        return found
    last = answer.columns[-1]
    is_count = last.type is CellType.INTEGER and not _NO_AMOUNT.search(last.name)
    return len(answer.columns) - 1 if is_count else None


def _adds_up(answer: AnswerObject) -> bool:
    """Whether a sum of the rows means something: of amounts and counts, not of averages or extremes."""
    return bool(answer.figures) or answer.route.endswith(_ADDITIVE) or _ends_in_count(answer)


def _ends_in_count(answer: AnswerObject) -> bool:
    return not any(c.type is CellType.DECIMAL for c in answer.columns) and not answer.route.endswith(
        _EXTREMES
    )


def _number(cell: object) -> Decimal:
    try:
        return Decimal(str(cell if cell is not None else 0))
    except InvalidOperation:
        return Decimal(0)


def _shown(value: Decimal) -> str:
    return f"{value:f}"


def _spoken(answer: AnswerObject, value: Decimal) -> str:
    """A figure of an answer, rounded where its column is."""
    rounded = any(heading.rounded for heading in answer.headings)
    return str(for_the_eye(_shown(value))) if rounded else _shown(value)


def _percent(share: Decimal) -> str:
    return f"{share * 100:.1f}"

"""What a planner takes the name of a metric for by itself: a draft says it, and nobody else has to."""

from collections.abc import Callable, Iterable, Iterator

from dragoman.contracts.program import Value
from dragoman.contracts.taught import TaughtWord
from dragoman.language.verbs.printer import print_value
from dragoman.planning.database.planner import QuestionPlanner
from dragoman.tables.graph import Table
from dragoman.tables.verbs import TableVerb, Word


def own_metric(planner: QuestionPlanner, word: str) -> tuple[Table, Value] | None:
    """The table and what is added up of it, where a question for the total of a word is read as just that."""
    best = next(iter(planner.readings(f"total {word}")), None)
    if best is None or best.uncovered or not best.statement.verb.endswith(f".{TableVerb.SUM}"):
        return None
    of = best.statement.argument(Word.OF)
    table = planner.things.graph.by_name.get(best.statement.verb.rpartition(".")[0])
    return None if table is None or of is None or len(best.statement.arguments) > 1 else (table, of.value)


def new_metrics(
    metrics: Iterable[tuple[TaughtWord, ...]], planner: Callable[[], QuestionPlanner]
) -> Iterator[TaughtWord]:
    """The words of metrics, without those that `planner` reads so anyhow. Words of other languages are read
    by way of English: they go with the first word of their metric."""
    made: QuestionPlanner | None = None
    for words in metrics:
        made = made or planner()
        known = [_is_own(made, word) for word in words]
        first = next((own for word, own in zip(words, known, strict=True) if word.word.isascii()), False)
        for word, own in zip(words, known, strict=True):
            if not (own if word.word.isascii() else first):
                yield word


def _is_own(planner: QuestionPlanner, word: TaughtWord) -> bool:
    found = own_metric(planner, word.word) if word.word.isascii() else None
    return found is not None and (found[0].name, print_value(found[1])) == (word.of, word.means)

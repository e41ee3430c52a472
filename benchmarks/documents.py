"""Questions over documents: is the passage found, and is nothing answered that stands nowhere?

python -m benchmarks.documents --data FOLDER [--lang en] [--show missed|refused|answered] [--jsonl FILE]

FOLDER has documents/ and questions.jsonl with a question a line: {"id", "question", "lang", "file", "lines":
[a, b]}, with null for `file` and `lines` where no document has the answer. Of a PDF they are pages.

Every question is asked of the product in a session of its own, in a workspace that has the documents and
nothing else. `passage@1` and `passage@3` are the shares of the questions whose passage is the first that is
quoted, or among the first three; what is refused has none. `ranked@1` and `ranked@3` are the same before
anything is refused: what `(knowledge.find … :least 0)` gives.
"""

import argparse
import dataclasses
import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from dragoman import Workspace
from dragoman.catalog.catalog import Catalog
from dragoman.catalog.lookup import look_up
from dragoman.contracts.answer import FOUND_OUT, AnswerObject
from dragoman.contracts.program import Argument, Integer, Number, Statement, Text
from dragoman.contracts.vocabulary import EvidenceSource

_QUOTED: Final = 3
_TEXTS: Final = (EvidenceSource.DOC, EvidenceSource.POLICY)


@dataclasses.dataclass(frozen=True)
class Wanted:
    """A question, and the lines of the file that answer it; without a file nothing does."""

    id: str
    question: str
    lang: str
    file: str
    first: int
    last: int

    def is_at(self, ref: str) -> bool:
        """Whether a citation shares a line with the passage."""
        file, _, lines = ref.rpartition(":")
        begin, _, end = lines.removeprefix("p").partition("-")
        same = file.endswith(f"/{self.file}")
        return same and int(begin) <= self.last and int(end or begin) >= self.first


@dataclasses.dataclass(frozen=True)
class Outcome:
    wanted: Wanted
    quoted: tuple[str, ...]
    """Where what was quoted stands, the best first; nothing where the question was refused."""
    ranked: tuple[str, ...]
    """The same before anything was refused."""
    sure: float
    """The confidence of the first of these."""

    @property
    def answered(self) -> bool:
        return bool(self.quoted)

    def found(self, among: int, *, ranked: bool = False) -> bool:
        return any(map(self.wanted.is_at, (self.ranked if ranked else self.quoted)[:among]))


def questions(file: Path) -> list[Wanted]:
    """The questions of a file, in its order."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [_wanted(json.loads(line)) for line in lines if line.strip()]


def _wanted(row: dict[str, Any]) -> Wanted:
    first, last = row.get("lines") or (0, 0)
    file = (row.get("file") or "").removeprefix("documents/")
    return Wanted(str(row["id"]), row["question"], row.get("lang", ""), file, first, last)


def asked(documents: Path, wanted: Sequence[Wanted]) -> Iterator[Outcome]:
    """Every question, asked in a workspace with these documents."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copytree(documents, folder / "docs")
        (folder / "connections.yaml").write_text("")
        with Workspace.open(folder) as workspace:
            catalog = Catalog(folder)
            for each in wanted:
                workspace.ask(session := workspace.new_session(), each.question)
                given = workspace.state(session).answers.items
                quoted = _refs(given[-1]) if given and given[-1].gate.truth_mode in FOUND_OUT else ()
                ranked = _ranked(catalog, each.question)
                yield Outcome(each, quoted, tuple(ref for ref, _ in ranked), ranked[0][1] if ranked else 0.0)


def _refs(answer: AnswerObject) -> tuple[str, ...]:
    return tuple(item.ref for item in answer.evidence if item.source in _TEXTS)[:_QUOTED]


def _ranked(catalog: Catalog, question: str) -> list[tuple[str, float]]:
    arguments = (
        Argument("question", Text(question)),
        Argument("top", Integer(_QUOTED)),
        Argument("least", Number("0")),
    )
    found = look_up(catalog, Statement("knowledge.find", arguments))
    return [(item.ref, item.confidence) for item in found.evidence]


def report(outcomes: Sequence[Outcome]) -> str:
    """The shares, of all questions and of each language."""
    lines = [_line("all", outcomes)]
    codes = sorted({each.wanted.lang for each in outcomes})
    if len(codes) > 1:
        lines += [_line(code, [each for each in outcomes if each.wanted.lang == code]) for code in codes]
    return "\n".join(lines)


def _line(name: str, outcomes: Sequence[Outcome]) -> str:
    within = [each for each in outcomes if each.wanted.file]
    without = [each for each in outcomes if not each.wanted.file]
    other = sum(each.answered and not each.found(_QUOTED) for each in within)
    shares = (
        f"passage@1 {_share(sum(each.found(1) for each in within), len(within))}",
        f"passage@3 {_share(sum(each.found(_QUOTED) for each in within), len(within))}",
        f"ranked@1 {_share(sum(each.found(1, ranked=True) for each in within), len(within))}",
        f"ranked@3 {_share(sum(each.found(_QUOTED, ranked=True) for each in within), len(within))}",
        f"answered without the passage {other}/{len(within)}",
        f"answered though nothing is there {sum(each.answered for each in without)}/{len(without)}",
    )
    return f"{name:>4}  " + "  ".join(shares)


def _share(part: int, whole: int) -> str:
    return f"{part}/{whole} ({100 * part / whole:.1f} %)" if whole else "–"


def shown(outcome: Outcome) -> str:
    """A question with what was wanted and what was quoted."""
    wanted = outcome.wanted
    place = f"{wanted.file}:{wanted.first}-{wanted.last}" if wanted.file else "nowhere"
    ranked = " ".join(outcome.ranked) or "nothing"
    verdict = "quoted" if outcome.answered else "refused"
    return f"{wanted.id} {wanted.question}\n    wanted {place}; {verdict}, {outcome.sure:.2f}: {ranked}"


def _is_shown(outcome: Outcome, what: str) -> bool:
    within = bool(outcome.wanted.file)
    return {
        "missed": within and not outcome.found(_QUOTED),
        "refused": within and not outcome.answered,
        "answered": not within and outcome.answered,
    }.get(what, False)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, required=True, help="the folder of documents and questions")
    parser.add_argument("--lang", default="", help="only this language")
    parser.add_argument("--show", choices=("missed", "refused", "answered"), default="")
    parser.add_argument("--jsonl", type=Path, help="write every outcome to this file")
    given = parser.parse_args()
    wanted = [each for each in questions(given.data / "questions.jsonl") if given.lang in ("", each.lang)]
    outcomes = list(asked(given.data / "documents", wanted))
    for each in outcomes:
        if _is_shown(each, given.show):
            sys.stdout.write(shown(each) + "\n")
    if given.jsonl is not None:
        rows = (json.dumps(dataclasses.asdict(each), ensure_ascii=False) for each in outcomes)
        given.jsonl.write_text("".join(f"{row}\n" for row in rows), encoding="utf-8")
    sys.stdout.write(report(outcomes) + "\n")


if __name__ == "__main__":
    main()

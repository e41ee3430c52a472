"""Databases that people have, asked as an analyst would: right, asked back, refused, or wrong and how sure.

python -m benchmarks.real [--data FOLDER] [--databases FOLDER] [--lang en] [--only questions|dialogs]

FOLDER has questions.jsonl, dialogs.jsonl and databases/NAME.sqlite, or NAME.sql.xz; without one it is
benchmarks/analysts. Every question and every conversation is
asked of the product in a session of its own; with --one-session all questions of a database are asked in one,
as somebody does who goes on working. Results are compared, not queries.

With --with-drafted-pack everything is asked twice: as the databases are, and with the pack that `pack draft`
writes for each. Both are printed side by side, by class, with the turns that changed; a class that is worse
ends with 1.

With --lessons FILE everything is asked twice: as the databases are, and after the lessons for each were said
and answered with yes. FILE has lines {"db_id": NAME, "lang": CODE, "say": SENTENCE}.
"""

import argparse
import tempfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from benchmarks.packed_databases import database_file
from benchmarks.real_data import AskedTurn, Lesson, Wanted, conversations, in_one_session, read_lessons
from benchmarks.real_drafted import beside, worse_classes
from benchmarks.real_report import json_line, report, shown
from benchmarks.real_turns import AskedDatabase, Outcome

ANALYSTS: Final = Path(__file__).parent / "analysts"


def held(
    databases: Path, talks: list[list[AskedTurn]], lessons: tuple[Lesson, ...] = (), **opening: bool
) -> Iterator[Outcome]:
    """Every turn, one database after the other, each after its lessons. `opening` says how their workspaces
    are opened."""
    for name in sorted({turn.database for talk in talks for turn in talk}):
        with (
            tempfile.TemporaryDirectory() as folder,
            AskedDatabase(database_file(databases, name), Path(folder), **opening) as asked,
        ):
            asked.teach([each.say for each in lessons if each.database == name])
            for talk in talks:
                if talk[0].database == name:
                    yield from asked.hold(talk)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--data", type=Path, default=ANALYSTS, help="the folder of the questions")
    parser.add_argument("--databases", type=Path, help="the folder of the databases, if it is another")
    parser.add_argument("--lang", default="", help="only this language")
    parser.add_argument("--only", choices=("questions", "dialogs"), default="")
    parser.add_argument("--class", dest="kind", default="", help="only this class of questions")
    parser.add_argument("--answer-always", action="store_true", help="answer the best reading, sure or not")
    parser.add_argument("--without-review", action="store_true", help="switch the second reader off")
    parser.add_argument("--one-session", action="store_true", help="ask all questions of a database in one")
    parser.add_argument("--lessons", type=Path, help="sentences that teach words, said first")
    parser.add_argument("--with-drafted-pack", action="store_true", help="ask again with a drafted pack")
    parser.add_argument("--jsonl", type=Path, help="write a line of JSON for every turn")
    parser.add_argument("--show", choices=("right", "wrong", "asked", "refused"), help="print these turns")
    options = parser.parse_args()
    talks = conversations(options.data, Wanted(options.only, options.lang, options.kind))
    if options.one_session:
        talks = in_one_session(talks)
    databases = options.databases or options.data / "databases"
    opening = {"answer_always": options.answer_always} | ({"review": False} if options.without_review else {})
    outcomes = list(held(databases, talks, **opening))
    lessons: tuple[Lesson, ...] = ()
    if options.lessons:
        print("before the lessons", *islice(report(outcomes), 4), "", "after the lessons", sep="\n")
        lessons = read_lessons(options.lessons, options.lang)
        outcomes = list(held(databases, talks, lessons, **opening))
    if options.jsonl:
        options.jsonl.write_text("".join(f"{json_line(each)}\n" for each in outcomes), "utf-8")
    if options.show:
        print("\n".join(shown(outcomes, options.show)), end="\n\n")
    print("\n".join(report(outcomes)))
    if options.with_drafted_pack:
        drafted = list(held(databases, talks, lessons, drafted=True, **opening))
        print("", *beside(outcomes, drafted), sep="\n")
        if worse_classes(outcomes, drafted):
            raise SystemExit(1)


if __name__ == "__main__":
    main()

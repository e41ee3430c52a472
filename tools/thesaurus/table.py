"""The form that the tables are kept in: a line for a word, and its near words by weight.

salary<tab>80:earnings,pay,wage<tab>75:earn
"""

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path


def write_table(path: Path, table: Mapping[str, Mapping[str, int]]) -> None:
    lines = (f"{word}\t{_written(near)}\n" for word, near in sorted(table.items()))
    path.write_text("".join(lines), encoding="utf-8", newline="\n")


def read_table(path: Path) -> dict[str, dict[str, int]]:
    """A table as it was written."""
    found: dict[str, dict[str, int]] = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        word, *parts = line.split("\t")
        weighed = (part.split(":", 1) for part in parts)
        found[word] = {each: int(weight) for weight, words in weighed for each in words.split(",")}
    return found


def _written(near: Mapping[str, int]) -> str:
    by_weight: dict[int, list[str]] = defaultdict(list)
    for word in sorted(near):
        by_weight[near[word]].append(word)
    return "\t".join(f"{weight}:{','.join(by_weight[weight])}" for weight in sorted(by_weight, reverse=True))

"""Plural rules that several languages share: for a count the name of the form it takes."""


def counted(count: int, thing: str) -> str:
    """A count of things in what is always said in English: reports, evidence, the command line.

    >>> counted(1, "row"), counted(1200, "row")
    ('1 row', '1,200 rows')
    """
    return f"{count:,} {thing if count == 1 else f'{thing}s'}"


def one_or_other(count: int) -> str:
    """One row, two rows."""
    return "one" if count == 1 else "other"


def one_few_or_other(count: int) -> str:
    """одна строка, две строки, пять строк."""
    if count % 10 == 1 and count % 100 != 11:
        return "one"
    return "few" if count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14) else "other"


def always_other(count: int) -> str:
    """One form for every count."""
    return "other"

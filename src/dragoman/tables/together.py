"""Words of a statement that only make sense with others, or without them."""

from dragoman.contracts.program import Boolean, Statement
from dragoman.tables.findings import Findings
from dragoman.tables.request import ReadRequest
from dragoman.tables.verbs import WORDS, TableVerb, Word


def check_words(statement: Statement, verb: TableVerb, findings: Findings) -> None:
    """What makes sense only with something else, or without it."""
    given = {argument.name for argument in statement.arguments}
    if {Word.TOP, Word.LIMIT} <= given and verb is not TableVerb.TOP:
        findings.error("argument_choice", ":top and :limit say the same", "keep one")
    if Word.TIES in given and Word.TOP not in given and verb is not TableVerb.TOP:
        findings.error("missing_argument", ":ties belongs to :top", "add :top")
    if verb is TableVerb.LIST and Word.TOP in given and Word.ORDER not in given:
        hint = 'add :order {:desc "…"}, or write :limit for just some rows'
        findings.error("missing_argument", ":top needs :order: the first of what?", hint)
    if Word.BY not in given and verb not in (TableVerb.LIST, TableVerb.TOP):
        for word in (Word.TOP, Word.ORDER, Word.TIES, Word.HAVING):
            if word in given:
                message = f"without :by there is one row, and nothing to say with :{word}"
                findings.error("missing_argument", message, "add :by, or leave it out")
    if verb is TableVerb.TOP and {Word.BY, Word.COLUMNS} <= given:
        message = "groups have no columns but those they were gathered by"
        findings.error("argument_choice", message, "leave :columns out")
    if verb is TableVerb.COUNT and _says(statement, Word.GROUPS):
        _check_groups(given, findings)
    if Word.PER in WORDS[verb] and Word.PER in given:
        for word in (Word.DISTINCT, Word.GROUPS):
            if _says(statement, word):
                message = f"what is counted with :{word} cannot be divided with :{Word.PER}"
                findings.error("argument_choice", message, f"leave :{word} or :{Word.PER} out")
    if verb is TableVerb.COUNT and _says(statement, Word.DISTINCT) and Word.OF not in given:
        message = ":distinct counts different values of a column"
        findings.error("missing_argument", message, "add :of")


def _check_groups(given: set[str], findings: Findings) -> None:
    if Word.BY not in given:
        findings.error("missing_argument", f":{Word.GROUPS} counts groups", "add :by")
    for word in (Word.COLUMNS, Word.ORDER, Word.TOP, Word.TIES, Word.LIMIT):
        if word in given:
            message = f"how many groups there are is one number, and :{word} has nothing to say of it"
            findings.error("argument_choice", message, f"leave :{word} or :{Word.GROUPS} out")


def check_distinct(request: ReadRequest, findings: Findings) -> None:
    if request.verb is not TableVerb.LIST or not request.distinct:
        return
    for order in request.order:
        if order.by not in request.columns:
            message = f"with :distinct, :order may only name what is shown; {order.by.written} is not"
            findings.error("unknown_order", message, "add it to :columns")


def check_shares(request: ReadRequest, findings: Findings) -> None:
    """A share is one of something: of all groups, or of rows that are such."""
    if request.by:
        return
    if any(each.verb is TableVerb.SHARE and each.that is None for each in request.measures):
        message = "a share needs :that, the rows that are the part, or :by, whose groups are parts of all"
        findings.error("missing_argument", message, 'add :that {:status "open"} or :by "status"')


def _says(statement: Statement, word: Word) -> bool:
    said = next((each.value for each in statement.arguments if each.name == word), None)
    return said == Boolean(True)

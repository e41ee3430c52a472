"""What is wrong with a policy, as far as it can be said without a database."""

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.errors import SqlglotError

from dragoman.contracts.pack import PackPolicy
from dragoman.contracts.schema import Dialect
from dragoman.guards.sql import why_not_condition
from dragoman.language.oml.findings import listed
from dragoman.packs.policy_application import called, is_harmless
from dragoman.packs.statements import USER, Fault


def why_not_rows(rows: str, dialect: Dialect) -> str | None:
    """None for a condition that a policy may have; otherwise the reason it is refused."""
    try:
        tree = exp.condition(rows, dialect=dialect.value)
    except (SqlglotError, RecursionError):
        return why_not_condition(rows, dialect.value)
    # USER is a function in some dialects, so the guard would take the parameter for a call. What is judged is
    # the condition with a value in its place, as it will run.
    for node in list(tree.find_all(exp.Placeholder)):
        if node.name == USER and node is not tree:
            node.replace(exp.Literal.string(USER))
    return why_not_condition(tree.sql(dialect=dialect.value), dialect.value)


def faults_of_policy(policy: PackPolicy, dialect: Dialect) -> Iterator[Fault]:
    """Every fault of a policy."""
    if not policy.table.strip():
        yield Fault("policy_of_nothing", "the policy names no table", "name its table")
    if not policy.rows.strip() and not policy.hide:
        yield Fault("policy_of_nothing", "the policy narrows nothing", "write rows: or hide:")
    if len({column.casefold() for column in policy.hide}) < len(policy.hide):
        yield Fault("repeated", "a column is hidden twice", "keep one of them")
    if both := set(policy.roles) & set(policy.unless):
        yield Fault("policy_roles", f"{listed(sorted(both))} is bound and exempt", "keep one of them")
    if not policy.rows.strip():
        return
    if (reason := why_not_rows(policy.rows, dialect)) is not None:
        yield Fault("policy_condition", reason, "write what may stand after WHERE")
        return
    condition = exp.condition(policy.rows, dialect=dialect.value)
    for node in condition.find_all(exp.Placeholder, exp.Parameter):
        if not isinstance(node, exp.Placeholder) or node.name != USER:
            yield Fault("unknown_parameter", f"a policy knows no {node.sql()}", f"only :{USER}, who asks")
    for function in condition.find_all(exp.Func):
        if not is_harmless(function):
            message = f"the function {called(function)} is not one that a pack may call"
            yield Fault("function", message, "use none")

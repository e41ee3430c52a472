"""Which way leads to a project: its PostgreSQL, or its REST interface."""

from dragoman.contracts.errors import StepRefused
from dragoman.databases.connections import ResolvedConnection, Transport, refuse_address, target_of
from dragoman.databases.families.supabase.target import RestTarget
from dragoman.engine.component import Config, StepContext

_TRANSACTION_POOLER = 6543


def rest_target(config: Config, context: StepContext) -> RestTarget | None:
    """The project over REST; None where its PostgreSQL is to be used. Raises StepRefused."""
    connection = context.connect(str(config["connection"]))
    if connection.transport is not Transport.REST:
        _refuse_transaction_pooler(connection)
        return None
    target = target_of(connection)
    if not isinstance(target, RestTarget):
        raise StepRefused("the connection is no Supabase project", hint="name one of the family supabase")
    refuse_address(connection.host)
    return target


def _refuse_transaction_pooler(connection: ResolvedConnection) -> None:
    """It hands each transaction another session: what a session was told would hold for somebody else's."""
    if connection.port == _TRANSACTION_POOLER:
        raise StepRefused(
            f"port {_TRANSACTION_POOLER} is the pooler in transaction mode, and a session is needed here",
            hint="use the direct address of the database, or the pooler in session mode: port 5432",
        )

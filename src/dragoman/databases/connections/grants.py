"""The statements that make a login which can only read, for the administrator to run."""

from dragoman.contracts.connection import ResolvedConnection
from dragoman.databases.families.registry import family

READER = "dragoman_reader"


def least_privilege(connection: ResolvedConnection, login: str = READER) -> str:
    """What its family says. The password is left for the administrator to choose."""
    return family(connection.family).reading_login(connection, login)

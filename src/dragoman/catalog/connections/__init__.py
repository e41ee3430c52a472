"""Connections: what connections.yaml says, by which names it is called, and where it leads."""

from dragoman.catalog.connections.addresses import judge_host, refuse_address
from dragoman.catalog.connections.doctor import DoctorFinding, FindingSeverity, doctor
from dragoman.catalog.connections.families import Transport
from dragoman.catalog.connections.file import FILE, load_connections, read_connections
from dragoman.catalog.connections.grants import least_privilege
from dragoman.catalog.connections.names import Connections
from dragoman.catalog.connections.opening import open_connection, target_of
from dragoman.catalog.connections.resolution import family_of_file, parse_database_url, resolve
from dragoman.catalog.connections.spec import ConnectionSpec, ResolvedConnection, SecretText
from dragoman.catalog.connections.writing import alias_for, written_entry

__all__ = [
    "FILE",
    "ConnectionSpec",
    "Connections",
    "DoctorFinding",
    "FindingSeverity",
    "ResolvedConnection",
    "SecretText",
    "Transport",
    "alias_for",
    "doctor",
    "family_of_file",
    "judge_host",
    "least_privilege",
    "load_connections",
    "open_connection",
    "parse_database_url",
    "read_connections",
    "refuse_address",
    "resolve",
    "target_of",
    "written_entry",
]

"""Connections: what connections.yaml says, by which names it is called, and where it leads."""

from dragoman.contracts.connection import ConnectionSpec, ResolvedConnection, SecretText, Transport
from dragoman.databases.addresses import judge_host, refuse_address
from dragoman.databases.connections.connection_names import Connections
from dragoman.databases.connections.connection_reader import kept_open, open_connection, read_all, target_of
from dragoman.databases.connections.doctor import DoctorFinding, FindingSeverity, doctor
from dragoman.databases.connections.entry_text import alias_for, written_entry
from dragoman.databases.connections.file import FILE, load_connections, read_connections
from dragoman.databases.connections.grants import least_privilege
from dragoman.databases.connections.resolution import parse_database_url, resolve

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
    "judge_host",
    "kept_open",
    "least_privilege",
    "load_connections",
    "open_connection",
    "parse_database_url",
    "read_all",
    "read_connections",
    "refuse_address",
    "resolve",
    "target_of",
    "written_entry",
]

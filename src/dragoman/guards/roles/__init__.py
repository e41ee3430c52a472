"""What a role may hand over: closed contracts, rules between fields, and the policy of request types."""

from dragoman.guards.roles.acceptance import accepted_role_output, role_schema, validate_role_output
from dragoman.guards.roles.policy import RequestPolicy, evidence_priority, request_policy, retrieval_order
from dragoman.guards.roles.role_text import validate_role_text

__all__ = [
    "RequestPolicy",
    "accepted_role_output",
    "evidence_priority",
    "request_policy",
    "retrieval_order",
    "role_schema",
    "validate_role_output",
    "validate_role_text",
]

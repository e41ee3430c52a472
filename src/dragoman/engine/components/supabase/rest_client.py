"""The project's own client, made so that what fails on the way is told as what it is."""

from typing import TYPE_CHECKING, Any

from dragoman.contracts.errors import EngineError, StepRefused, TargetFailed, TransientFault
from dragoman.databases.access.refusals import said
from dragoman.databases.families.supabase.target import RestTarget

if TYPE_CHECKING:
    import httpx

_SECONDS = 60.0
_TOO_MANY = 429
_SERVER_ERROR = 500
_TRANSIENT_CODES = frozenset({"40001", "40P01", "55P03", "57014", "57P01", "57P03", "53300", "PGRST000"})


def client_of(target: RestTarget, schema: str) -> Any:
    """Raises StepRefused where the client is not installed."""
    try:
        import httpx
        from supabase import ClientOptions, create_client
    except ImportError as error:
        raise StepRefused(
            "writing over REST needs the supabase client, which is not installed",
            hint="pip install dragoman[supabase]; or give the PostgreSQL URL of the project",
        ) from error
    line = httpx.Client(
        timeout=_SECONDS, follow_redirects=False, trust_env=False, event_hooks={"response": [_checked]}
    )
    options = ClientOptions(schema=schema, httpx_client=line, auto_refresh_token=False, persist_session=False)
    return create_client(target.base_url, target.key, options=options)


def upsert(client: Any, table: str, rows: list[dict[str, Any]], key: tuple[str, ...], secret: str) -> None:
    """Send rows; none of them comes back. Raises TransientFault and TargetFailed."""
    import httpx
    from postgrest.exceptions import APIError

    conflict = ",".join(f'"{name}"' if not name.isidentifier() else name for name in key)
    try:
        client.table(table).upsert(
            rows, on_conflict=conflict, returning="minimal", default_to_null=True
        ).execute()
    except APIError as error:
        raise _fault(error.code or "", said(error.message or error, secret), table) from error
    except httpx.HTTPError as error:
        raise TransientFault(
            f"the project did not answer: {said(str(error) or type(error).__name__, secret)}",
            hint="try again",
        ) from error


def _fault(code: str, text: str, table: str) -> EngineError:
    if code in _TRANSIENT_CODES or code.startswith("08"):
        return TransientFault(f"the project refused rows for {table} for now: {text}", hint="try again")
    return TargetFailed(
        f"the project refused rows for {table}: {text}", hint="check the table, and what the key may write"
    )


def _checked(response: "httpx.Response") -> None:
    if response.status_code == _TOO_MANY or response.status_code >= _SERVER_ERROR:
        raise TransientFault(
            f"the project answered with status {response.status_code}", hint="try again in a while"
        )

"""How requests get to a provider: over the network, or by any other transport of httpx."""

from collections.abc import Callable, Iterator

import httpcore
import httpx

from dragoman.models.line import Line, tls

Transports = Callable[[Line], httpx.BaseTransport]
"""Makes the transport of one request, which goes over this line."""


def chunks_of(response: httpx.Response) -> Iterator[bytes]:
    """The body as it comes. Unlike `iter_raw` it takes the answers of any transport, whole ones too."""
    if not isinstance(response.stream, httpx.SyncByteStream):
        raise TypeError("a transport that is not asynchronous gives a stream that is not either")
    return iter(response.stream)


class NetworkTransport(httpx.BaseTransport):
    """One connection, not kept, without proxies and redirects."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._pool: httpcore.ConnectionPool | None = None

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        url = request.url
        # The certificates are only read where they are needed.
        context = tls() if url.scheme == "https" else None
        self._pool = httpcore.ConnectionPool(
            ssl_context=context, max_connections=1, max_keepalive_connections=0, network_backend=self._line
        )
        sent = httpcore.Request(
            method=request.method,
            url=httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=request.headers.raw,
            content=request.read(),
        )
        response = self._pool.handle_request(sent)
        return httpx.Response(response.status, headers=response.headers, stream=_Body(response))

    def close(self) -> None:
        if self._pool is not None:
            self._pool.close()


class _Body(httpx.SyncByteStream):
    def __init__(self, response: httpcore.Response) -> None:
        self._response = response

    def __iter__(self) -> Iterator[bytes]:
        return self._response.iter_stream()

    def close(self) -> None:
        self._response.close()

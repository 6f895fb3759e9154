"""Serves a web site, a WSGI application, to browsers on this machine."""

from __future__ import annotations

from socketserver import ThreadingMixIn
from types import TracebackType
from typing import Self
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import WSGIApplication

import attrs

DEFAULT_HOST = "127.0.0.1"
PATIENCE = 30
"""Seconds after which a connection on which nothing comes is dropped."""


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _Handler(WSGIRequestHandler):
    timeout = PATIENCE

    def log_message(self, format: str, *args: object) -> None:
        """Keep the terminal for the address and for errors."""


@attrs.frozen
class Site:
    """A site that holds a port until it is closed."""

    _server: WSGIServer

    @property
    def address(self) -> str:
        """Where a browser finds the site."""
        host, port = self._server.server_address[:2]
        shown = f"[{host!s}]" if ":" in str(host) else str(host)
        return f"http://{shown}:{port}/"

    def run(self) -> None:
        """Answer requests until `stop` is called from another thread, or the process is interrupted."""
        self._server.serve_forever(poll_interval=0.1)

    def stop(self) -> None:
        """Let `run`, which must be running, return."""
        self._server.shutdown()

    def close(self) -> None:
        """Free the port."""
        self._server.server_close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def open_site(application: WSGIApplication, host: str = DEFAULT_HOST, port: int = 0) -> Site:
    """Take a port, any free one if it is 0, and return the site, on which nothing is answered until it runs.

    Raises:
        OSError: the port is taken, or the host is none of this machine's.
    """
    return Site(make_server(host, port, application, server_class=_Server, handler_class=_Handler))

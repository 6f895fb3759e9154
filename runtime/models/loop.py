"""An asyncio loop in a background thread, for callers that are plain threads."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from typing import Any, TypeVar

import attrs

from skillsandbox.runtime.models.request import ModelFault

T = TypeVar("T")


@attrs.frozen(eq=False)
class Loop:
    """A running loop; see `background_loop`."""

    _loop: asyncio.AbstractEventLoop

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Do work in the loop and wait for it. An interruption of the waiting thread ends the work too."""
        try:
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        except RuntimeError:
            work.close()
            raise _closed() from None
        try:
            return future.result()
        except CancelledError:
            raise _closed() from None
        except BaseException:
            future.cancel()
            raise


@contextmanager
def background_loop() -> Iterator[Loop]:
    """Run a loop in a thread of its own; what is still going on in it is cancelled at the end."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="language models", daemon=True)
    thread.start()
    try:
        yield Loop(loop)
    finally:
        asyncio.run_coroutine_threadsafe(_end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _end() -> None:
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()
    await asyncio.get_running_loop().shutdown_default_executor()


def _closed() -> ModelFault:
    return ModelFault("the model was closed while it was asked")

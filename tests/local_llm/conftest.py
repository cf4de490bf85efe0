"""The tiny real model, started once a module; tests that need it skip where its packages are not installed."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

NOT_HERE = 77  # as in serve.py


@pytest.fixture(scope="module")
def model_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    log = tmp_path_factory.mktemp("local_llm") / "server.log"
    with log.open("wb") as errors:
        # The server ends with its standard input, so it ends even if this process is killed.
        server = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("serve.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
        )
    with server:
        try:
            assert server.stdout is not None
            first = server.stdout.readline()
            if not first.startswith("ready "):
                code, said = server.wait(), log.read_text(encoding="utf-8", errors="replace").strip()
                # An illegal instruction: the package was built for newer processors.
                if code in (NOT_HERE, -signal.SIGILL):
                    pytest.skip(f"no local model here (see .ci/local-llm.txt): {said or 'not for this processor'}")
                pytest.fail(f"the local model did not start (exit code {code}):\n{said[-2000:]}")
            yield first.split()[1]
        finally:
            server.kill()

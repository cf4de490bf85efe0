"""HTTP targets against a real server on this machine: what is sent, what is read, and what each failure says."""

from __future__ import annotations

import gzip
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from judgekit.errors import InputError
from judgekit.records import Case, Context, Endpoint, Output, Variant
from judgekit.targets.http import HttpTarget
from judgekit.targets.wire import LARGEST

Folder = Any

JSON = {"Content-Type": "application/json"}
SECRET = "swordfish-4711"


@dataclass
class Server:
    """What the server answers by path, and what it was asked."""

    url: str = ""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: JSON)
    body: bytes = b'{"answer": "Hi."}'
    write: Callable[[BaseHTTPRequestHandler], None] | None = None
    """Answers in place of all that, byte by byte."""
    asked: list[dict[str, Any]] = field(default_factory=list)

    def answers(self, value: Any) -> None:
        self.body = json.dumps(value).encode()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            text = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
            state.asked.append({"method": self.command, "path": self.path, "headers": dict(self.headers), "body": text})
            if state.write is not None:
                # The other side hangs up when its patience ends.
                with suppress(ConnectionError):
                    state.write(self)
                return
            is_root = self.path.partition("?")[0] == "/"
            self.send_response(state.status if is_root else 200)
            for name, value in (state.headers if is_root else JSON).items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(state.body)

        do_GET = do_POST = do_PUT = _serve  # noqa: N815

        def log_message(self, *_: Any) -> None:
            pass

    listening = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listening.daemon_threads = True
    state.url = f"http://127.0.0.1:{listening.server_port}/"
    threading.Thread(target=listening.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    yield state
    listening.shutdown()
    listening.server_close()


def target(url: str, *, params: Mapping[str, Any] | None = None, timeout_s: float = 5, **endpoint: Any) -> HttpTarget:
    made = Endpoint(url, **{"output": "$.answer", "body": {"q": "{{ input }}"}, **endpoint})
    return HttpTarget(Variant("prod", http=made, params=params or {}, timeout_s=timeout_s))


def collected(server: Server, case: Case | None = None, trial: int = 0, **options: Any) -> Output:
    return target(server.url, **options).collect(case or Case("a", input="hi"), trial)


def sent(server: Server, case: Case | None = None, trial: int = 0, **options: Any) -> Any:
    """The JSON that the server got."""
    assert collected(server, case, trial, **options).text == "Hi."
    return json.loads(server.asked[-1]["body"])


# ------------------------------------------------------------------------------------------------------ what is sent


def test_the_input_goes_out_and_the_output_comes_back(server: Server) -> None:
    output = collected(server)
    assert (output.text, output.variant, output.cause) == ("Hi.", "prod", None)
    assert output.latency_s is not None
    assert server.asked[0]["method"] == "POST"
    assert server.asked[0]["headers"]["Content-Type"] == "application/json"
    assert json.loads(server.asked[0]["body"]) == {"q": "hi"}


HOSTILE = 'say "hi"\\n\n\t\0 {{ x }} </script> שלום 👩‍👩‍👧 \u2028'


@pytest.mark.parametrize(
    "body",
    [{"q": "{{ input }}"}, {"q": "{{ input | tojson }}"}, '{"q": {{ input | tojson }}}', '{"q": {{input|tojson()}}}'],
)
def test_any_text_arrives_as_it_is(server: Server, body: Any) -> None:
    assert sent(server, Case("a", input=HOSTILE), body=body) == {"q": HOSTILE}


def test_half_a_character_is_replaced(server: Server) -> None:
    assert sent(server, Case("a", input="x\ud83d")) == {"q": "x\ufffd"}


def test_a_text_around_an_expression_makes_a_text(server: Server) -> None:
    body = {"messages": [{"role": "user", "content": "Q: {{ input }} ({{ trial }})"}], "stream": False, "n": 1}
    assert sent(server, trial=2, body=body) == {
        "messages": [{"role": "user", "content": "Q: hi (2)"}],
        "stream": False,
        "n": 1,
    }


def test_a_text_that_is_one_expression_keeps_the_kind_of_its_value(server: Server) -> None:
    case = Case("a", input="hi", turns=("one", "two"), vars={"tier": "gold", "limit": 3})
    body = {
        "turns": "{{ turns }}",
        "k": "{{ params.k }}",
        "vars": "{{- vars -}}",
        "trial": "{{ trial }}",
        "id": "{{ case_id }}",
    }
    assert sent(server, case, 1, body=body, params={"k": 0.5}) == {
        "turns": ["one", "two"],
        "k": 0.5,
        "vars": {"tier": "gold", "limit": 3},
        "trial": 1,
        "id": "a",
    }


def test_variables_of_the_case_have_their_own_names_too(server: Server) -> None:
    case = Case("a", input="hi", vars={"tier": "gold"})
    assert sent(server, case, body={"t": "{{ tier }}-{{ vars.tier }}"}) == {"t": "gold-gold"}


def test_the_context_is_a_list_and_in_a_text_it_is_joined(server: Server) -> None:
    case = Case("a", input="hi", context=(Context("one", "p1"), Context("two")))
    assert sent(server, case, body={"docs": "{{ context }}", "text": "Given:\n{{ context }}"}) == {
        "docs": [{"id": "p1", "text": "one"}, {"id": None, "text": "two"}],
        "text": "Given:\none\n\ntwo",
    }


def test_the_only_turn_is_the_input(server: Server) -> None:
    assert sent(server, Case("a", turns=("one",))) == {"q": "one"}


def test_the_reference_is_never_told(server: Server) -> None:
    output = collected(server, Case("a", input="hi", reference=SECRET), body={"q": "{{ reference }}"})
    assert output.cause == "target"
    assert 'undefined variable "reference"' in output.message
    assert server.asked == []


def test_a_get_sends_its_question_in_the_address(server: Server) -> None:
    output = target(server.url + "?q={{ input | urlencode }}", method="GET", body=None).collect(
        Case("a", input="a b&c"), 0
    )
    assert output.text == "Hi."
    assert server.asked[0]["path"] == "/?q=a%20b%26c"
    assert server.asked[0]["body"] == ""


def test_headers_take_values_from_the_environment_and_from_the_case(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_TOKEN", f"{SECRET}\n")
    headers = {"Authorization": "Bearer {{ env.AGENT_TOKEN }}", "X-Case": "{{ case_id }}/{{ trial }}"}
    assert collected(server, headers=headers).text == "Hi."
    assert server.asked[0]["headers"]["Authorization"] == f"Bearer {SECRET}"
    assert server.asked[0]["headers"]["X-Case"] == "a/0"


def test_an_address_from_the_environment_is_asked_and_never_shown(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_URL", server.url)
    server.status, server.body = 404, f"no page {server.url}".encode()
    asking = target("{{ env.AGENT_URL }}")
    output = asking.collect(Case("a", input="hi"), 0)
    assert output.message == "POST {{ env.AGENT_URL }}: answered 404 Not Found: no page ***"
    assert asking.asks["http"] == "POST {{ env.AGENT_URL }}"


def test_a_body_never_sees_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_TOKEN", SECRET)
    output = collected(server, headers={"A": "{{ env.AGENT_TOKEN }}"}, body={"q": "{{ env.AGENT_TOKEN }}"})
    assert 'undefined variable "env"' in output.message


# ------------------------------------------------------------------------------------------------------ what is read


def test_a_path_finds_the_output_wherever_it_stands(server: Server) -> None:
    server.answers({"choices": [{"message": {"content": "Deep."}}]})
    assert collected(server, output="$.choices[0].message.content").text == "Deep."


def test_an_output_that_is_no_text_is_its_json(server: Server) -> None:
    server.answers({"answer": {"total": 5, "unit": "€"}})
    assert collected(server).text == '{"total": 5, "unit": "€"}'


def test_an_empty_output_is_an_output(server: Server) -> None:
    server.answers({"answer": ""})
    assert (collected(server).text, collected(server).cause) == ("", None)


def test_tool_calls_usage_and_context_are_read(server: Server) -> None:
    server.answers(
        {
            "answer": "5 EUR",
            "calls": [
                {"id": "1", "function": {"name": "search", "arguments": '{"q": "fee"}'}},
                {"name": "b", "args": {}},
            ],
            "usage": {"prompt_tokens": 7, "completion_tokens": 2},
            "docs": [{"id": "p1", "text": "The fee is 5 EUR."}, "And more."],
        }
    )
    output = collected(server, tool_calls="$.calls", usage="$.usage", context="$.docs")
    assert output.tool_calls is not None
    assert [(call.name, dict(call.args)) for call in output.tool_calls] == [("search", {"q": "fee"}), ("b", {})]
    assert (output.usage.input_tokens, output.usage.output_tokens) == (7, 2)
    assert output.context == (Context("The fee is 5 EUR.", "p1"), Context("And more."))


def test_a_path_to_many_values_gathers_them(server: Server) -> None:
    server.answers(
        {
            "answer": "x",
            "hits": [{"body": "one"}, {"body": "two"}],
            "steps": [{"calls": [{"name": "a"}]}, {"calls": []}],
        }
    )
    output = collected(server, context="$.hits[*].body", tool_calls="$.steps[*].calls")
    assert [piece.text for piece in output.context or ()] == ["one", "two"]
    assert [call.name for call in output.tool_calls or ()] == ["a"]


@pytest.mark.parametrize(
    ("answer", "path", "calls"),
    [
        ({}, "$.calls", None),
        ({}, "$.calls[*]", ()),
        ({"calls": None}, "$.calls", ()),
        ({"calls": []}, "$.calls", ()),
    ],
)
def test_no_tool_calls_and_unknown_tool_calls_are_two_things(
    server: Server, answer: Any, path: str, calls: Any
) -> None:
    server.answers({"answer": "x", **answer})
    assert collected(server, tool_calls=path).tool_calls == calls


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ({"text": "x", "id": 3}, "$.answer is not in the answer; keys there: text, id"),
        ({"answer": None}, "$.answer is null in the answer"),
        (["x"], "$.answer is not in the answer"),
        ({"answer": "x", "calls": "search"}, "`tool_calls` must be a list"),
        ({"answer": "x", "calls": [{"name": 3}]}, "a tool call is a mapping with `name` and `args`"),
        ({"answer": "x", "usage": {"prompt_tokens": -1}}, "`input_tokens` must be a number of at least 0"),
        ({"answer": "x", "usage": "many"}, "`usage` must be a mapping"),
    ],
)
def test_an_answer_of_another_form_is_malformed(server: Server, answer: Any, said: str) -> None:
    server.answers(answer)
    output = collected(server, tool_calls="$.calls", usage="$.usage")
    assert (output.text, output.cause) == (None, "malformed")
    assert said in output.message


def test_several_outputs_are_none(server: Server) -> None:
    server.answers({"parts": ["a", "b"]})
    assert "finds 2 values in the answer, one output is wanted" in collected(server, output="$.parts[*]").message


# ------------------------------------------------------------------------------------------------- what goes wrong


@pytest.mark.parametrize(
    ("status", "cause"),
    [
        (400, "target"),
        (401, "auth"),
        (403, "auth"),
        (404, "target"),
        (429, "rate_limit"),
        (500, "target"),
        (504, "target"),
    ],
)
def test_an_error_status_has_its_cause_and_is_not_tried_again(server: Server, status: int, cause: str) -> None:
    server.status, server.body = status, b'{"detail":  "no\nsuch q"}'
    output = collected(server)
    assert (output.text, output.cause) == (None, cause)
    assert f"answered {status} " in output.message
    assert '{"detail": "no such q"}' in output.message
    assert len(server.asked) == 1


@pytest.mark.parametrize(
    ("headers", "body", "said"),
    [
        ({"Content-Type": "text/html"}, b"<html>Sign in</html>", "answered an HTML page, no JSON"),
        (JSON, b" \n<!DOCTYPE html><p>Sign in", "answered an HTML page, no JSON"),
        (
            {"Content-Type": "text/plain"},
            b"Hello.",
            "answered what is no JSON: Expecting value at column 1; it begins Hello.",
        ),
        (JSON, b'{"answer": "x"', "answered what is no JSON"),
        (JSON, b'{"answer": NaN}', "NaN is not JSON"),
        (JSON, b"", "answered 200 OK with an empty body"),
        (JSON, b'{"answer": "\xff"}', "not UTF-8 (byte 12)"),
        ({**JSON, "Content-Encoding": "gzip"}, gzip.compress(b'{"answer": "x"}', mtime=0), "it is packed (gzip)"),
        (JSON, b'{"answer":' + b"[" * 100_000 + b"]" * 100_000 + b"}", "nested too deeply"),
        ({**JSON, "Content-Length": "500"}, b'{"answer": "x', "the body was cut short"),
        (JSON, b"\0\x1b[31m", "it begins ��[31m"),
    ],
)
def test_what_cannot_be_read_is_malformed(server: Server, headers: Mapping[str, str], body: bytes, said: str) -> None:
    server.headers, server.body = headers, body
    output = collected(server)
    assert (output.text, output.cause) == (None, "malformed")
    assert said in output.message


def test_an_error_page_is_not_quoted(server: Server) -> None:
    server.status, server.headers, server.body = 502, {"Content-Type": "text/html"}, b"<html>" + b"x" * 5000
    assert collected(server).message == f"POST {server.url}: answered 502 Bad Gateway: an HTML page"


def test_too_large_an_answer_is_refused(server: Server) -> None:
    server.body = b'{"answer": "' + b"x" * LARGEST + b'"}'
    output = collected(server)
    assert output.cause == "malformed"
    assert "answered more than 20 MB" in output.message


def raw(answer: bytes, *, then_s: float = 0) -> Callable[[BaseHTTPRequestHandler], None]:
    def write(handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(answer)
        handler.wfile.flush()
        time.sleep(then_s)

    return write


def drip(handler: BaseHTTPRequestHandler) -> None:
    handler.wfile.write(b"HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n")
    for _ in range(100):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.02)


@pytest.mark.parametrize(
    "write", [raw(b"", then_s=1), raw(b"HTTP/1.0 200 OK\r\n", then_s=1), drip], ids=["silent", "half a head", "drip"]
)
def test_a_slow_answer_is_waited_for_no_longer_than_the_limit(server: Server, write: Any) -> None:
    server.write = write
    start = time.monotonic()
    output = collected(server, timeout_s=0.2)
    assert time.monotonic() - start < 0.9
    assert output.cause == "timeout"
    assert output.message == f"POST {server.url}: no answer within 0.2 s"


@pytest.mark.parametrize("answer", [b"", b"SSH-2.0-OpenSSH_9.6\r\n\r\n"])
def test_a_server_that_speaks_no_http_is_an_error_of_the_target(server: Server, answer: bytes) -> None:
    server.write = raw(answer)
    assert collected(server).cause == "target"


def test_a_refused_connection_says_so() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/"
    output = target(url).collect(Case("a", input="hi"), 0)
    assert output.cause == "target"
    assert output.message == f"POST {url}: cannot be reached: connection refused"


def test_a_redirect_on_the_same_host_is_followed_with_its_method(server: Server) -> None:
    server.status, server.headers = 307, {"Location": "/there"}
    assert collected(server).text == "Hi."
    assert [(one["method"], one["path"], one["body"]) for one in server.asked] == [
        ("POST", "/", '{"q": "hi"}'),
        ("POST", "/there", '{"q": "hi"}'),
    ]


@pytest.mark.parametrize(
    ("status", "location", "said"),
    [
        (302, "/there", "redirects to http://127.0.0.1/there; give the address that answers as `url`"),
        (307, "http://elsewhere.invalid/x?token=abc", "redirects to http://elsewhere.invalid/x; give"),
        (307, "/", "redirects more than 5 times"),
        (308, None, "answered 308 Permanent Redirect: a redirect that names no place"),
        (308, "http://[", "a redirect to no valid address"),
        (304, None, "answered 304 Not Modified"),
    ],
)
def test_any_other_redirect_is_an_error_of_the_target(server: Server, status: int, location: Any, said: str) -> None:
    server.status, server.headers = status, {"Location": location} if location else {}
    output = collected(server, headers={"Authorization": f"Bearer {SECRET}"})
    assert output.cause == "target"
    assert said in output.message
    assert SECRET not in output.message


# ---------------------------------------------------------------------------------------------------------- secrets


def test_what_comes_back_of_a_header_is_masked_and_flagged(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_TOKEN", SECRET)
    server.answers(
        {"answer": f"got {SECRET}", "docs": [f"Bearer {SECRET}"], "calls": [{"name": "f", "args": {"k": SECRET}}]}
    )
    output = collected(server, headers={"X-Thing": "{{ env.AGENT_TOKEN }}"}, context="$.docs", tool_calls="$.calls")
    assert output.text == "got ***"
    assert SECRET not in repr(output)
    assert output.flags == ("secret_masked",)


def test_an_error_that_quotes_a_header_is_masked(server: Server) -> None:
    server.status, server.body = 400, f"bad header: Bearer {SECRET}".encode()
    output = collected(server, headers={"Authorization": f"Bearer {SECRET}"})
    assert output.message.endswith("400 Bad Request: bad header: ***")


def test_a_short_value_is_not_looked_for_in_answers(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TENANT", "shop")
    server.answers({"answer": "shopping"})
    assert collected(server, headers={"X-Tenant": "{{ env.TENANT }}"}).text == "shopping"


@pytest.mark.parametrize("value", ["a\r\nX-Evil: 1", "ключ"])
def test_a_header_that_cannot_be_sent_is_named_and_not_quoted(
    server: Server, monkeypatch: pytest.MonkeyPatch, value: str
) -> None:
    monkeypatch.setenv("AGENT_TOKEN", value)
    made = target(server.url, headers={"Authorization": "{{ env.AGENT_TOKEN }}"})
    with pytest.raises(InputError, match="the header Authorization holds a character") as caught:
        made.check(Case("a", input="hi"))
    assert value not in str(caught.value)


def test_a_complaint_does_not_quote_the_environment(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AGENT_TOKEN", SECRET)
    made = target(server.url, headers={"A": "{{ vars[env.AGENT_TOKEN] }}"})
    with pytest.raises(InputError) as caught:
        made.check(Case("a", input="hi"))
    assert SECRET not in str(caught.value)


# ------------------------------------------------------------------------------------------------- in a scenario file

SUITE = """\
suite: s
variants:
  prod:
    http:
      url: URL
      headers: {Authorization: "Bearer {{ env.AGENT_TOKEN }}"}
      body: {q: "{{ input }}"}
      response: {output: $.answer, context: "$.docs[*]"}
cases:
  - {id: a, input: hi, context: of the case, expect: {contains: fee, cites: true}}
"""


def test_a_run_over_http_needs_no_leave_and_writes_no_secret(
    folder: Folder, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_TOKEN", SECRET)
    server.answers({"answer": 'The fee: "five euros a month".', "docs": ["It is five euros a month."], "token": SECRET})
    run = folder.score(SUITE.replace("URL", server.url))
    assert list(run.cases["status"]) == ["pass"], run.results["reason"].tolist()
    for path in run.path.rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes(), path
    (asked,) = json.loads((run.path / "manifest.json").read_text())["prompts"]
    assert asked["http"] == f"POST {server.url}"


def test_the_hash_of_what_is_asked_changes_with_it(server: Server) -> None:
    def digest(**endpoint: Any) -> str:
        return str(target(server.url, **endpoint).asks["hash"])

    assert digest() == digest()
    assert digest(headers={"Authorization": "a"}) == digest(headers={"Authorization": "b"})
    others = [digest(body={"p": "x"}), digest(output="$.x"), digest(headers={"X-Model": "2"}), digest(method="PUT")]
    assert len({digest(), *others}) == 5


def test_endpoints_may_stand_in_the_settings(folder: Folder, server: Server) -> None:
    folder.write(
        "judgekit.yaml",
        f"variants: {{prod: {{http: {{url: '{server.url}', body: {{q: x}}, response: {{output: answer}}}}}}}}\n",
    )
    run = folder.score("id: a\nexpect: {contains: Hi}\n")
    assert list(run.cases["status"]) == ["pass"]


def test_a_failure_is_an_error_of_its_case_alone(
    folder: Folder, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AGENT_TOKEN", SECRET)
    server.status = 429
    run = folder.score(SUITE.replace("URL", server.url))
    assert (list(run.cases["cause"]), run.decision.exit_code) == (["rate_limit"], 3)


def test_a_variable_that_the_environment_lacks_ends_it_before_anything_is_asked(
    folder: Folder, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AGENT_TOKEN", raising=False)
    assert folder.mistakes(SUITE.replace("URL", server.url)) == [
        'scenarios/a.yaml:3: variant "prod": the environment variable AGENT_TOKEN is not set, and `http` takes it from '
        "there."
    ]
    assert server.asked == []


def endpoint(said: str) -> str:
    """A suite with one endpoint, which stands on line 4."""
    case = "{id: a, input: hi, vars: {tier: x}, expect: {contains: x}}"
    return f"suite: s\nvariants:\n  v1:\n    http: {said}\ncases: [{case}]\n"


SOUND = "url: 'http://x', body: {}, response: {output: a}"


@pytest.mark.parametrize(
    ("said", "complaint"),
    [
        ("{url: 'http://x', body: {}}", '4: "variants.v1.http.response" is missing'),
        ("{url: 'http://x', body: {}, response: {}}", '4: "variants.v1.http.response.output" is missing'),
        (
            "{url: 'http://x', response: {output: a}}",
            '4: "variants.v1.http" body is missing: say what the POST request sends',
        ),
        (
            "{SOUND, method: DELETE}",
            '4: "variants.v1.http.method" should be',
        ),
        (
            "{SOUND, header: {}}",
            'unknown key "header". Did you mean "headers"?',
        ),
        ("{url: 'http://x', body: {}, response: {output: a, ouput: b}}", 'unknown key "ouput". Did you mean "output"?'),
        ("{SOUND, timeout_s: 0}", "greater than 0"),
        ("{url: 'http://x', body: 3, response: {output: a}}", '4: "variants.v1.http.body"'),
        (
            "{url: 'http://x', body: {}, response: {output: '$.['}}",
            '3: variant "v1": http.response.output: "$.[" is no valid JSONPath',
        ),
        ("{url: 'ftp://x', body: {}, response: {output: a}}", '3: variant "v1": http.url must begin with http://'),
        ("{url: 'http://u:p@x', body: {}, response: {output: a}}", '3: variant "v1": http.url holds a password'),
        ("{url: 'http://x:port/', body: {}, response: {output: a}}", "http.url is no address"),
        ("{url: 'http://x', headers: {a b: c}, body: {}, response: {output: a}}", 'http.headers: "a b" can be no name'),
        (
            "{url: 'http://x', body: {q: '{{ inptu }}'}, response: {output: a}}",
            '5: case "a": variant "v1", body.q:1: undefined variable "inptu". Did you mean "input"?',
        ),
        (
            "{url: 'http://x', body: '[{{ teir | tojson }}]', response: {output: a}}",
            'body:1: undefined variable "teir". Did you mean "tier"?',
        ),
        ("{url: 'http://x', body: '{{ input }', response: {output: a}}", "body:1: not a valid template"),
        (
            """{url: 'http://x', body: '{"q": {{ input }}}', response: {output: a}}""",
            '5: case "a": variant "v1": the body is no JSON: Expecting value at column 7. Insert texts as their JSON',
        ),
        ("{url: 'http://{{ input }} x/', body: {}, response: {output: a}}", "http.url holds a character"),
    ],
)
def test_a_mistake_in_an_endpoint_is_found_before_anything_is_asked(folder: Folder, said: str, complaint: str) -> None:
    (line,) = folder.mistakes(endpoint(said.replace("SOUND", SOUND)))
    assert line.startswith("scenarios/a.yaml:")
    assert complaint in line


def test_all_mistakes_of_an_endpoint_are_told_together(folder: Folder) -> None:
    said = "{url: x, headers: {a b: c}, body: {}, response: {output: '$[', context: '$['}}"
    assert len(folder.mistakes(endpoint(said))) == 4


def test_a_variant_is_one_thing(folder: Folder) -> None:
    (said,) = folder.mistakes(
        "suite: s\nvariants: {v1: {command: cat, http: {url: 'http://x', body: {}, response: {output: a}}}}\n"
        "cases: [{id: a, expect: {contains: x}}]\n"
    )
    assert "takes one of prompt, command, function and http, not command and http" in said


def test_a_time_limit_is_given_once(folder: Folder) -> None:
    http = f"{{{SOUND}, timeout_s: 3}}"
    text = "suite: s\nvariants: {v1: {TIME http: " + http + "}}\ncases: [{id: a, input: hi, expect: {contains: x}}]\n"
    assert folder.plan(text.replace("TIME", "")).jobs[0].target.variant.timeout_s == 3
    assert "timeout_s is given twice" in folder.mistakes(text.replace("TIME", "timeout_s: 4,"))[0]


def test_turns_that_would_not_be_sent_are_a_mistake(folder: Folder) -> None:
    text = endpoint("{url: 'http://x', body: {q: '{{ input }}'}, response: {output: a}}").replace(
        "input: hi", "input: hi, turns: [and?]"
    )
    assert "the case has `turns`, and `http` sends none of them" in folder.mistakes(text)[0]
    assert folder.plan(text.replace("{{ input }}", "{{ [input] + turns }}")).jobs

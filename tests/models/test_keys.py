"""Which key a model needs, and where messages must not show it."""

from __future__ import annotations

import pytest

from judgekit.models.keys import missing_key
from judgekit.texts.scrubbing import scrub


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("gpt-4o", "OPENAI_API_KEY"),
        ("o1", "OPENAI_API_KEY"),
        ("o3-mini", "OPENAI_API_KEY"),
        ("ft:gpt-4o-mini:me", "OPENAI_API_KEY"),
        ("openai/anything", "OPENAI_API_KEY"),
        ("OpenAI/gpt-4o", "OPENAI_API_KEY"),
        ("claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-2.0-flash", "GEMINI_API_KEY"),
        ("azure/mine", "AZURE_API_KEY"),
        ("mistral/large", "MISTRAL_API_KEY"),
        ("groq/llama", "GROQ_API_KEY"),
        ("cohere/command", "COHERE_API_KEY"),
        ("together_ai/llama", "TOGETHERAI_API_KEY"),
        ("openrouter/openai/gpt-4o", "OPENROUTER_API_KEY"),
        ("deepseek/chat", "DEEPSEEK_API_KEY"),
        ("xai/grok", "XAI_API_KEY"),
    ],
)
def test_key_of_a_provider_has_its_variable(name: str, variable: str) -> None:
    assert missing_key(name, environ={}) == variable
    assert missing_key(name, environ={variable: "sk-1"}) is None
    assert missing_key(name, environ={variable: "  "}) == variable


@pytest.mark.parametrize(
    "name", ["ollama/llama3", "hosted_vllm/x", "vertex_ai/gemini", "bedrock/x", "nobody/x", "o", "olmo", ""]
)
def test_nothing_is_missing_where_nothing_is_known(name: str) -> None:
    assert missing_key(name, environ={}) is None


def test_explicit_address_needs_no_key() -> None:
    assert missing_key("gpt-4o", "http://127.0.0.1:8080/v1", environ={}) is None


def test_second_name_of_a_key_will_do() -> None:
    assert missing_key("gemini/gemini-2.0-flash", environ={"GOOGLE_API_KEY": "x"}) is None


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Incorrect API key provided: sk-proj-abc123*****xyz.", "Incorrect API key provided: ***."),
        ("{'authorization': 'Bearer abc.def-ghi'}", "{'authorization': 'Bearer ***'}"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic ***"),
        ('"x-api-key": "abc"', '"x-api-key": "***"'),
        ("https://host/v1?key=AIzaSyA-1234567890&x=1", "https://host/v1?key=***&x=1"),
        ("http://me:secret@host/v1", "http://***@host/v1"),
        ("the risk-free token of the author", "the risk-free token of the author"),
    ],
)
def test_keys_and_headers_are_hidden(text: str, shown: str) -> None:
    assert scrub(text, {}) == shown


def test_values_of_secret_variables_are_hidden_longest_first() -> None:
    environ = {"A_API_KEY": "abcdef", "B_TOKEN": "abcdef-123456", "MY_SECRET_WORD": "open sesame", "HOME": "/home/me"}
    said = "abcdef-123456, abcdef, open sesame in /home/me"
    assert scrub(said, environ) == "***, ***, *** in /home/me"


def test_short_and_blank_values_hide_nothing() -> None:
    assert scrub("a test", {"X_API_KEY": "test", "Y_TOKEN": ""}) == "a test"

"""Which words of a provider mean that a parameter is refused."""

from __future__ import annotations

import pytest

from judgekit.models.faults import Fault
from judgekit.models.parameters import Parameters, refused_name

SENT = ("temperature", "seed", "max_tokens", "stop", "user", "response_format", "top_p")


@pytest.mark.parametrize(
    ("param", "said", "name"),
    [
        ("temperature", "Only the default (1) value is supported.", "temperature"),
        ("response_format.json_schema", "Invalid schema", "response_format"),
        ("", "Unsupported parameter: 'seed' is not supported with this model.", "seed"),
        ("", "`temperature` is deprecated for this model.", "temperature"),
        ("", "property 'seed' is unsupported", "seed"),
        ("", "seed: Extra inputs are not permitted", "seed"),
        ("", '[{"loc": ["body", "seed"], "msg": "Extra inputs are not permitted", "type": "extra_forbidden"}]', "seed"),
        ("", "`temperature` must be strictly positive", "temperature"),
        ("", "This model does not support temperature", "temperature"),
        ("", "Unrecognized request argument supplied: parameter seed", "seed"),
        ("", "Unknown name \"seed\" at 'generation_config': Cannot find field.", "seed"),
    ],
)
def test_refusal_is_recognised(param: str, said: str, name: str) -> None:
    assert refused_name(Fault("request", said, 400, param=param), SENT) == name


@pytest.mark.parametrize(
    ("param", "said"),
    [
        ("messages", "Invalid 'seed' in the text"),
        ("", "The prompt must not tell the user to stop."),
        ("", "Invalid request: the user cannot stop the seed."),
        ("", "The model 'local' is not supported."),
        ("logit_bias", "not supported"),
        ("", ""),
    ],
)
def test_other_troubles_are_not_a_refused_parameter(param: str, said: str) -> None:
    assert refused_name(Fault("request", said, 400, param=param), SENT) is None


@pytest.mark.parametrize(("kind", "status"), [("server", 500), ("auth", 401), ("rate_limit", 429), ("context", 400)])
def test_only_a_refused_request_refuses_a_parameter(kind: str, status: int) -> None:
    assert refused_name(Fault(kind, "'seed' is not supported", status, param="seed"), SENT) is None


def test_client_that_knows_the_model_need_not_ask_it() -> None:
    said = "anthropic does not support parameters: ['seed'], for model=claude."
    assert refused_name(Fault("client", said, is_unsupported=True), SENT) == "seed"


def test_bound_that_is_refused_under_both_names_is_given_up() -> None:
    known = Parameters()
    assert known.refuse("max_tokens", "use max_completion_tokens instead") is True
    assert known.applicable({"max_tokens": 5}) == {"max_completion_tokens": 5}
    assert known.refuse("max_completion_tokens", "unknown; did you mean max_tokens?") is False
    assert known.applicable({"max_tokens": 5, "seed": 1}) == {"seed": 1}

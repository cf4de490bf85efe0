"""Forms that settings and scenario files share: trials, variants, rubric entries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BeforeValidator, ConfigDict, Field, GetJsonSchemaHandler, WithJsonSchema, model_validator
from pydantic.json_schema import JsonSchemaValue

from judgekit.reading.forms import Bool, Exact, Form, Text, TextList, Whole, as_whole

LONGEST_S = 86_400
"""A day: beyond some weeks a wait is more than the operating system takes."""


def _as_require(value: Any) -> Any:
    if isinstance(value, str) and value in ("all", "any"):
        return value
    try:
        return as_whole(value)
    except ValueError:
        raise ValueError(f'must be all, any or a whole number of at least 1, not "{value}"') from None


class TrialsForm(Form):
    """Repeats of each case."""

    shorthand: ClassVar[Mapping[str, Any]] = {"type": "integer", "minimum": 1}

    n: Whole = Field(description="How often each case is run.")
    require: Annotated[
        Literal["all", "any"] | int,
        BeforeValidator(_as_require),
        WithJsonSchema({"anyOf": [{"enum": ["all", "any"]}, {"type": "integer", "minimum": 1}]}),
    ] = Field("all", description="How many trials must pass: all, any or a number.")

    @model_validator(mode="after")
    def _reachable(self) -> TrialsForm:
        if isinstance(self.require, int) and self.require > self.n:
            raise ValueError(f"require {self.require} of {self.n} trials can't be met")
        return self


class HttpAnswerForm(Form):
    """Where things stand in the JSON that an endpoint answers, as JSONPath."""

    output: Text = Field(description="Where the output stands; what is no text there is taken as its JSON.")
    context: Text | None = Field(None, description="What the target retrieved; it wins over the case's context.")
    tool_calls: Text | None = Field(None, description="Tool calls that the target made.")
    usage: Text | None = Field(None, description="Tokens that the target used.")


class HttpForm(Form):
    """A JSON endpoint that answers; it is asked once, without retries."""

    url: Text = Field(description="Address; {{ env.NAME }} takes a value from the environment.")
    method: Annotated[
        Literal["GET", "POST", "PUT", "PATCH"],
        BeforeValidator(lambda value: value.upper() if isinstance(value, str) else value),
    ] = Field("POST", description="HTTP method.")
    headers: dict[str, Text] = Field(
        default_factory=dict, description='Headers, such as Authorization: "Bearer {{ env.AGENT_TOKEN }}".'
    )
    body: str | dict[str, Any] | list[Any] | None = Field(
        None, description="Jinja text of the JSON, or a mapping whose texts are Jinja."
    )
    response: HttpAnswerForm = Field(description="Where in the answer the output stands.")
    timeout_s: float | None = Field(None, gt=0, le=LONGEST_S, description="Time limit of a request, in seconds.")

    @model_validator(mode="after")
    def _sends_something(self) -> HttpForm:
        if self.body is None and self.method != "GET":
            raise ValueError(f"body is missing: say what the {self.method} request sends")
        return self


class VariantForm(Form):
    """One named configuration of the target."""

    shorthand: ClassVar[Mapping[str, Any]] = {"type": "string"}

    prompt: Text | None = Field(None, description="Prompt file (Jinja), or the name of a prompt in prompts.json.")
    model: Text | None = Field(None, description="Model that answers.")
    params: dict[str, Any] = Field(default_factory=dict, description="Parameters such as temperature.")
    command: TextList | None = Field(None, description="Program that answers: JSON on stdin, JSON or text on stdout.")
    function: Text | None = Field(None, description="Python function that answers: module:function.")
    http: HttpForm | None = Field(None, description="JSON endpoint that answers.")
    timeout_s: float = Field(
        60, gt=0, le=LONGEST_S, description="Time limit of a command, function or request, in seconds."
    )

    @model_validator(mode="after")
    def _one_kind(self) -> VariantForm:
        given = [name for name in ("prompt", "command", "function", "http") if getattr(self, name) is not None]
        if len(given) > 1:
            raise ValueError(f"takes one of prompt, command, function and http, not {' and '.join(given)}")
        if self.http is not None and self.http.timeout_s is not None and "timeout_s" in self.model_fields_set:
            raise ValueError("timeout_s is given twice: in the variant and in its http")
        if self.command is not None and not any(word.strip() for word in self.command):
            raise ValueError("command is empty")
        return self


def as_variant(value: Any) -> Any:
    """A variant given as text is the prompt file."""
    return {"prompt": value} if isinstance(value, str) else value


def _as_use(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


def _as_uses(value: Any) -> Any:
    if value is None:
        raise ValueError("is empty; name a rubric, or leave the key out")
    return value if isinstance(value, list | tuple) else [value]


class RubricForm(Form):
    """One rubric as a case, suite or settings file asks for it; further keys are options of a deterministic rubric."""

    model_config = ConfigDict(extra="allow")
    shorthand: ClassVar[Mapping[str, Any]] = {"type": "string"}

    name: Text = Field(description="Built-in or own rubric, or path of a rubric file.")
    pass_at: Exact | None = Field(None, description="Threshold on the score.")
    required: Bool | None = Field(None, description="Whether the case fails with it.")


Variant = Annotated[VariantForm, BeforeValidator(as_variant)]
RubricEntry = Annotated[RubricForm, BeforeValidator(_as_use)]


class _OneOrMany:
    """One entry may stand without its list."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        many = handler(core_schema)
        return {"anyOf": [many, many["items"]]}


RubricList = Annotated[tuple[RubricEntry, ...], BeforeValidator(_as_uses), _OneOrMany]
TrialsEntry = Annotated[
    TrialsForm, BeforeValidator(lambda value: value if isinstance(value, Mapping) else {"n": value})
]

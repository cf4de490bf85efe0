"""The forms of a scenario file: what a case and a suite may say. The editor's JSON Schema is made from these."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator

from judgekit.reading.entries import RubricList, TrialsEntry, Variant
from judgekit.reading.forms import Bool, Form, Text, TextList, as_text
from judgekit.scenarios.tools import ToolParameters


class FileForm(Form):
    """A text that stands in a file."""

    file: Text = Field(description="Path from this file's folder.")


class ContextForm(Form):
    """One piece of evidence."""

    id: Text | None = Field(None, description="Name that a citation may use.")
    text: Text = Field(description="The evidence.")


class ToolResultForm(Form):
    """One scripted answer of a tool."""

    when: dict[str, Any] | None = Field(
        None, description="Arguments that this answer is for; without it: the next call."
    )
    result: Any = Field(description="What the tool answers.")


class ToolForm(Form):
    """One tool offered to the agent, with scripted answers."""

    description: Text = Field("", description="What the tool does.")
    parameters: ToolParameters = Field(default_factory=dict, description="JSON Schema of the arguments.")
    results: tuple[ToolResultForm, ...] = Field((), description="Scripted answers; the first that fits is given.")


TextOrFile = FileForm | Text


def _as_golden(value: Any) -> Any:
    if isinstance(value, bool) or value in ("true", "false"):
        return value in (True, "true")
    path = as_text(value)
    if path.strip().lower() in ("true", "false", "yes", "no", "on", "off", ""):
        raise ValueError(f'must be true, false or the path of a file, not "{path}"')
    return path


class CaseForm(Form):
    """One input with its expectations."""

    id: Text | None = Field(None, description="Name of the case, unique over the run.")
    name: Text | None = Field(None, description="Stands for the id where there is none.")
    description: Text = Field("", description="For people.")
    agent: Text = Field("", description="Agent whose release gate this case belongs to.")
    tags: TextList = Field((), description="For selection with --tag and for reports.")
    input: TextOrFile = Field("", description="What the target is asked.", union_mode="left_to_right")
    turns: tuple[Text, ...] = Field((), description="User messages of a conversation, in order.")
    vars: dict[str, Any] = Field(default_factory=dict, description="Values for prompt templates and rubrics.")
    reference: Annotated[TextOrFile | None, Field(union_mode="left_to_right")] = Field(
        None, description="A right answer."
    )
    context: tuple[ContextForm | Text, ...] | FileForm | Text | None = Field(
        None, description="Evidence that the answer must rest on.", union_mode="left_to_right"
    )
    config_dir: Text | None = Field(None, description="Folder that holds the agent.")
    expect: Any = Field(None, description="Checks by name; `none` for a case that is only to be read.")
    rubrics: RubricList = Field((), description="Rubrics that score the output.")
    golden: Annotated[
        bool | str | None,
        BeforeValidator(_as_golden),
        WithJsonSchema({"type": ["boolean", "string"]}),
    ] = Field(None, description="true, or the path of the golden file.")
    faux: Any = Field(None, description="Scripted replies of the faux model.")
    output: Text | None = Field(None, description="Recorded output.")
    tools: dict[str, ToolForm] = Field(default_factory=dict, description="Tools offered to the agent.")
    trials: TrialsEntry | None = Field(None, description="Repeats of the case.")
    should_pass: Bool = Field(True, description="false: a negative fixture, which must fail.")
    defect: Text = Field(
        "",
        description="Of a negative fixture: what is wrong; in the release gate a phrase of the rubric's reason.",
    )

    @field_validator("defect")
    @classmethod
    def _defect_is_said(cls, defect: str) -> str:
        if not any(character.isalnum() for character in defect):
            raise ValueError("must say what is wrong; leave it out where that is not known")
        return defect


class SuiteForm(Form):
    """Cases with shared defaults."""

    suite: Text | None = Field(None, description="Name of the suite.")
    defaults: dict[str, Any] = Field(default_factory=dict, description="Merged into each case.")
    cases: Any = Field(description="List of cases, or a .jsonl or .csv file.")
    variants: dict[str, Variant] = Field(default_factory=dict, description="Named configurations of the target.")
    model: Text | None = Field(None, description="Model that answers.")
    params: dict[str, Any] = Field(default_factory=dict, description="Parameters of the model.")
    outputs: Text | None = Field(None, description="File of recorded outputs.")
    judge: TextList = Field((), description="Model that judges.")
    against: Text | None = Field(None, description="Reference variant.")


CASE_KEYS = tuple(CaseForm.model_fields)
SUITE_KEYS = tuple(SuiteForm.model_fields)

"""An agent's tools.json in, its tools by name out: what a model is offered, in function-calling form."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any

from pydantic import AfterValidator, ConfigDict, Field

from judgekit.errors import Complaint, InputError, raise_complaints
from judgekit.reading.forms import Form, Text, fill
from judgekit.reading.tables import parse_json
from judgekit.reading.text import read_text, shown

_NAME = re.compile(r"[\w.:/-]{1,128}", re.ASCII)
_FORM = '[{"type": "function", "function": {"name": …, "description": …, "parameters": {…}}}]'
_OTHER_NAMES = ("input_schema", "inputSchema")


def _checked(parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a tool, if they are a JSON Schema that a model can be given.

    Raises:
        ValueError: they are not, or not one of an object.
    """
    if parameters:
        if parameters.get("type") != "object":
            raise ValueError("must be a JSON Schema of an object: {type: object, properties: {…}}")
        if said := _schema_mistake(json.dumps(parameters, default=str, sort_keys=True)):
            raise ValueError(said)
    return parameters


@lru_cache(maxsize=256)
def _schema_mistake(schema: str) -> str:
    # Slow to import, and most scenarios have no tools.
    import jsonschema_rs

    try:
        jsonschema_rs.meta.validate(json.loads(schema))
    except (ValueError, RecursionError) as problem:
        place = ".".join(map(str, getattr(problem, "instance_path", [])))
        said = str(problem).split("\n\nFailed validating")[0][:200]
        return f"is no valid JSON Schema: {said}" + (f" (at {place})" if place else "")
    return ""


ToolParameters = Annotated[dict[str, Any], AfterValidator(_checked)]
"""JSON Schema of a tool's arguments, checked."""


class _FunctionForm(Form):
    # The file is the agent's: keys that judgekit does not use are left alone.
    model_config = ConfigDict(extra="ignore")

    name: Text
    description: Text = ""
    parameters: ToolParameters = Field(default_factory=dict)


def read_tools(path: Path) -> dict[str, dict[str, Any]]:
    """The tools of a tools.json: name -> description and parameters (a JSON Schema).

    Entries are `{"type": "function", "function": {…}}`, or `{"name": …, "description": …, "parameters": {…}}`.

    Raises:
        InputError: no such list; every tool that is none, by its number.
    """
    file = shown(path)
    try:
        entries = parse_json(read_text(path))
    except ValueError as problem:
        raise InputError(f"{file}: not valid JSON: {problem}.") from None
    if not isinstance(entries, list):
        raise InputError(f"{file}: must be a list of tools: {_FORM}.")
    tools: dict[str, dict[str, Any]] = {}
    complaints: list[Complaint] = []
    for number, entry in enumerate(entries, start=1):
        form, wrong = _read(entry)
        if form is not None and form.name in tools:
            wrong = [f'a second tool "{form.name}".']
        complaints += [Complaint(file, None, f"tool {number}: {said}") for said in wrong]
        if form is not None and not wrong:
            tools[form.name] = {"description": form.description, "parameters": form.parameters}
    raise_complaints(complaints)
    return tools


def _read(entry: Any) -> tuple[_FunctionForm | None, list[str]]:
    """The tool of one entry, and what is wrong with it."""
    if not isinstance(entry, Mapping):
        return None, [f"must be a mapping, as in {_FORM}."]
    kind = entry.get("type", "function")
    if kind != "function":
        return None, [f'its type is "{kind}"; only functions can be offered here.']
    inner = entry.get("function", entry)
    if not isinstance(inner, Mapping):
        return None, ['"function" must be a mapping.']
    other = next((name for name in _OTHER_NAMES if name in inner and "parameters" not in inner), None)
    if other:
        return None, [f'give its JSON Schema as "parameters", not as "{other}".']
    form, complaints = fill(_FunctionForm, inner, file="")
    wrong = [one.message for one in complaints]
    if form is not None and not _NAME.fullmatch(form.name):
        wrong.append(f'"{form.name[:60]}" can be no name of a tool: letters, digits, _ and -, at most 128.')
    return form, wrong

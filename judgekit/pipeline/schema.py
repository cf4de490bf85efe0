"""JSON Schemas for editors, made from the same models that read the files."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from judgekit.config import Settings
from judgekit.plugins import lookup, names
from judgekit.rubrics.rubric_form import RubricForm
from judgekit.scenarios.forms import CaseForm, SuiteForm

_MEMBERS = {"any_of": "value", "all_of": "value", "at_least": "of"}
"""Checks that hold checks, and the key that lists them."""


def schema(kind: str) -> dict[str, Any]:
    """The JSON Schema (2020-12) of a scenario file, the settings or a rubric file.

    Example:
        >>> "contains" in schema("scenario")["$defs"]["Checks"]["properties"]
        True
    """
    if kind == "settings":
        return _titled(_of(Settings), "judgekit settings")
    if kind == "rubric":
        return _titled(_of(RubricForm), "judgekit rubric")
    definitions: dict[str, Any] = {}
    case = _of(CaseForm, definitions)
    suite = _of(SuiteForm, definitions)
    expect = _expect(definitions)
    case["properties"]["expect"] = {
        "description": case["properties"]["expect"].get("description", ""),
        "anyOf": [{"$ref": "#/$defs/Expect"}, {"const": "none"}],
    }
    suite["properties"]["cases"] = {
        "description": suite["properties"]["cases"].get("description", ""),
        "anyOf": [{"type": "array", "items": {"$ref": "#/$defs/Case"}}, {"type": "string"}],
    }
    # Every key may stand in `defaults`, and none is required there.
    suite["properties"]["defaults"] = {**case, "description": "Merged into each case."}
    definitions |= {"Case": case, "Suite": suite, "Expect": expect}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "judgekit scenario file",
        "if": {"anyOf": [{"required": ["cases"]}, {"required": ["suite"]}]},
        "then": {"$ref": "#/$defs/Suite"},
        "else": {"$ref": "#/$defs/Case"},
        "$defs": definitions,
    }


def _of(form: type[BaseModel], definitions: dict[str, Any] | None = None) -> dict[str, Any]:
    made = form.model_json_schema(ref_template="#/$defs/{model}")
    if definitions is not None:
        definitions |= made.pop("$defs", {})
    return made


def _expect(definitions: dict[str, Any]) -> dict[str, Any]:
    checks: dict[str, Any] = {}
    for name in names("checks"):
        check = lookup("checks", name)
        made = check.model_json_schema(ref_template="#/$defs/{model}")
        definitions |= made.pop("$defs", {})
        description = (check.__doc__ or "").strip().split("\n")[0]
        # The form itself, beside the short form that its validator takes.
        forms = made["anyOf"] if check.shorthand else [made]
        keys = forms[-1]["properties"]
        if name in _MEMBERS:
            keys[_MEMBERS[name]]["items"] = {"$ref": "#/$defs/Expect"}
        if "value" in keys:
            forms = [{key: one for key, one in keys["value"].items() if key != "default"}, *forms]
        checks[name] = {"description": description, "anyOf": forms}
    # Each check is written once and pointed to from its four spellings: an editor reads a tenth of the text.
    definitions |= {f"check_{name}": one for name, one in checks.items()}
    properties: dict[str, Any] = {}
    for name, one in checks.items():
        plain = {"$ref": f"#/$defs/check_{name}"}
        negated = {**plain, "description": f"Passes only if none of it is met. {one['description']}"}
        for spelling in (name, name.replace("_", "-")):
            properties[spelling] = plain
        for spelling in (f"not_{name}", f"not-{name}".replace("_", "-")):
            properties[spelling] = negated
    definitions["Checks"] = {"type": "object", "properties": properties, "additionalProperties": False}
    one_each = {"$ref": "#/$defs/Checks"}
    return {"description": "Checks by name.", "anyOf": [one_each, {"type": "array", "items": one_each}]}


def _titled(made: dict[str, Any], title: str) -> dict[str, Any]:
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made, "title": title}

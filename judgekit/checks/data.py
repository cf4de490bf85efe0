"""Checks of structured outputs: json, json_schema, json_fields, xml."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, ClassVar
from xml.parsers import expat

import jsonschema_rs
from pydantic import Field, PrivateAttr, ValidationInfo, WithJsonSchema, field_validator, model_validator

from judgekit.checks.base import Absent, Check, Findings, Item, outcome
from judgekit.checks.equality import json_equal, plain
from judgekit.checks.jsonpath import compile_path, keys_beside, values_at
from judgekit.checks.values import Asked
from judgekit.checks.wording import as_json, kind_of, listed
from judgekit.errors import InputError
from judgekit.reading.forms import Bool, TextList
from judgekit.reading.tables import parse_json
from judgekit.reading.text import read_text, without_surrogates
from judgekit.reading.yaml_text import read_yaml
from judgekit.records import Case, CheckResult, Output, Place
from judgekit.texts.fences import unwrapped
from judgekit.texts.jsontext import Found, json_in, whole_json, why_not_json
from judgekit.texts.quoting import quote

_MOST_ERRORS = 5


class Json(Check):
    """The whole output is strict JSON (one code fence around it is fine); see `anywhere` for JSON within prose."""

    name: ClassVar[str] = "json"
    value: Asked = Field(description="true")
    anywhere: Bool = Field(False, description="A JSON object or list somewhere in the output is enough.")

    def items(self, output: Output, case: Case) -> CheckResult:
        """Pass or fail, with the place of the JSON."""
        text = output.text or ""
        if self.anywhere:
            found = json_in(text)
            if found is None:
                return outcome(False, f"no JSON anywhere in the output: {why_not_json(text)}")
            return outcome(True, f"JSON {kind_of(found.value)} found", spans=((found.start, found.end),))
        try:
            found = whole_json(text)
        except ValueError:
            within = " (it holds JSON: `anywhere: true` accepts that)" if json_in(text) else ""
            return outcome(False, f"not JSON: {why_not_json(text)}{within}")
        return outcome(True, f"the output is a JSON {kind_of(found.value)}", spans=((found.start, found.end),))


class JsonSchema(Check):
    """The JSON in the output meets a JSON Schema, written inline or in a file beside the scenario."""

    name: ClassVar[str] = "json_schema"
    takes_mapping: ClassVar[bool] = True
    value: Annotated[
        dict[str, Any] | bool | str, WithJsonSchema({"anyOf": [{"type": "object"}, {"type": "string"}]})
    ] = Field(description="A JSON Schema, or the path of a file that holds one; `$schema` names its draft.")
    _validator: Any = PrivateAttr(None)

    @field_validator("value", mode="before")
    @classmethod
    def _read(cls, value: Any, info: ValidationInfo) -> Any:
        if isinstance(value, str):
            place = info.context if isinstance(info.context, Place) else Place()
            return _schema_file(place.folder / value)
        if isinstance(value, Mapping):
            return plain(value)
        raise ValueError("must be a JSON Schema (a mapping) or the path of a file that holds one")

    @model_validator(mode="after")
    def _compile(self) -> JsonSchema:
        self._validator = _compiled(json.dumps(self.value, sort_keys=True))
        return self

    def items(self, output: Output, case: Case) -> CheckResult:
        """Pass or fail; each breach with path, wanted and found."""
        found = _read_json(output)
        spans = ((found.start, found.end),)
        errors = self.errors(found.value)
        if not errors:
            return outcome(True, "the JSON meets the schema", spans=spans)
        said = "; ".join(breach(error) for error in errors[:_MOST_ERRORS])
        said += f"; and {len(errors) - _MOST_ERRORS} more" if len(errors) > _MOST_ERRORS else ""
        return outcome(False, said, spans=spans, detail={"errors": len(errors)})

    def errors(self, value: Any) -> list[Any]:
        """What keeps a JSON value from meeting the schema, as errors of jsonschema_rs; empty if it does.

        Raises:
            Absent: the value cannot be validated, as it is nested too deeply.
        """
        try:
            return [] if self._validator.is_valid(value) else list(self._validator.iter_errors(value))
        except ValueError as problem:
            raise Absent(f"the JSON cannot be validated: {problem}") from None


def _schema_file(path: Path) -> Any:
    try:
        if path.suffix.lower() in (".yaml", ".yml"):
            documents = read_yaml(path)
            schema = plain(documents[0]) if documents else None
        else:
            schema = parse_json(read_text(path, what="JSON Schema file"))
    except InputError as problem:
        raise ValueError(f"cannot be read: {problem}") from None
    except ValueError as problem:
        raise ValueError(f"cannot be read: {path.name} is not JSON: {problem}") from None
    if not isinstance(schema, dict | bool):
        raise ValueError(f"cannot be used: {path.name} holds no JSON Schema")
    return schema


def _no_fetching(uri: str) -> Any:
    raise ValueError(f"{uri} would have to be fetched, and checks never use the network; put it under $defs")


@lru_cache(maxsize=256)
def _compiled(schema: str) -> Any:
    try:
        return jsonschema_rs.validator_for(json.loads(schema), retriever=_no_fetching)
    except ValueError as problem:
        said = str(problem).split("\n\nFailed validating")[0]
        place = "/".join(map(str, getattr(problem, "instance_path", [])))
        raise ValueError(f"is no valid JSON Schema: {said}{f' (at {place})' if place else ''}") from None


def breach(error: Any) -> str:
    """Path, wanted and found value of one error of jsonschema_rs, which itself quotes whole values, however long."""
    path = "$" + "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in error.instance_path)
    if error.schema_path[-1:] == ["type"]:
        wanted = error.message.rpartition(" is not of type")[2].removeprefix("s").replace('"', "").strip()
        return f"{path} is {as_json(error.instance, 60)} ({kind_of(error.instance)}), wanted {wanted}"
    return f"{path}: {_short(error.message)}"


def _short(text: str) -> str:
    line = " ".join(without_surrogates(text).split())
    return line if len(line) <= 160 else f"{line[:70]} … {line[-85:]}"


class JsonFields(Check):
    """Values in the output's JSON are as given: JSONPath to value, 1 equal to 1.0 and not to "1" or true."""

    name: ClassVar[str] = "json_fields"
    takes_mapping: ClassVar[bool] = True
    value: dict[str, Any] = Field(
        description="JSONPath (the leading `$.` may be left out) to the value that must stand there; where a path "
        "finds several values, each must be equal."
    )

    @field_validator("value", mode="before")
    @classmethod
    def _paths(cls, value: Any) -> Any:
        if not isinstance(value, Mapping) or not value:
            raise ValueError("must be a mapping of paths to values; a field called value is written $.value")
        for path in value:
            try:
                compile_path(path)
            except ValueError as problem:
                raise ValueError(f'"{path}" {problem}') from None
        return plain(value)

    def items(self, output: Output, case: Case) -> list[Item]:
        """One item per path."""
        found = _read_json(output)
        return [_field_item(path, wanted, found.value) for path, wanted in self.value.items()]


def _field_item(path: str, wanted: Any, value: Any) -> Item:
    values = values_at(path, value)
    if not values:
        keys = keys_beside(path, value)
        return Item(False, f"{path} is missing" + (f"; keys there: {listed(keys)}" if keys else ""))
    other = [one for one in values if not json_equal(wanted, one)]
    if not other:
        return Item(True, found=f"{path} is {as_json(wanted)}")
    kinds = kind_of(other[0]), kind_of(wanted)
    told = kinds if kinds[0] != kinds[1] else ("", "")
    shown = [f"{as_json(one)}{kind and f' ({kind})'}" for one, kind in zip((other[0], wanted), told, strict=True)]
    return Item(False, f"{path} is {shown[0]}, wanted {shown[1]}")


def _read_json(output: Output) -> Found:
    text = output.text or ""
    found = json_in(text)
    if found is None:
        raise Absent(f"no JSON in the output: {why_not_json(text)}")
    return found


class Xml(Check):
    """The whole output is well-formed XML (one code fence around it is fine) and has the listed elements."""

    name: ClassVar[str] = "xml"
    value: Asked = Field(description="true")
    elements: TextList = Field((), description="Names of elements that must all occur.")

    def items(self, output: Output, case: Case) -> CheckResult | Findings:
        """Pass or fail, or one item per element."""
        text = output.text or ""
        start, end = unwrapped(text)
        try:
            names = _elements(without_surrogates(text[start:end]).strip("\ufeff \t\r\n"))
        except ValueError as problem:
            return outcome(False, f"not XML: {problem}")
        if not self.elements:
            return outcome(True, "the output is well-formed XML")
        found = set(names)
        items = [Item(name in found, f"no element <{name}>", f"found <{name}>") for name in self.elements]
        return Findings(items, remark=f"elements found: {', '.join(list(names)[:10])}")


def _elements(text: str) -> Sequence[str]:
    """The names of the elements, each once, without prefixes.

    Raises:
        ValueError: not well-formed, or it declares entities.
    """
    names: dict[str, None] = {}
    parser = expat.ParserCreate()
    parser.StartElementHandler = lambda name, attributes: names.setdefault(name.rpartition(":")[2])
    parser.EntityDeclHandler = _no_entities
    try:
        parser.Parse(text, True)
    except expat.ExpatError as problem:
        begins = f"; the output begins {quote(text, 40)}" if not text.startswith("<") else ""
        raise ValueError(f"{problem}{begins}") from None
    return list(names)


def _no_entities(*_: Any) -> None:
    # A few nested entities grow to gigabytes when expanded.
    raise ValueError("it declares entities, which is refused")

"""The format that an agent declares, `NAME/VERSION`, in; what keeps a text from meeting it out.

A format file lies in `rubrics/formats/` of the project, else among the built-in ones:

    name: scarlet
    version: 1
    json_schema: {type: object, required: [triples]}    # inline, or a file beside this one
    or_text: false                                      # true: a text that is not meant as JSON is fine, too

or, for written answers, `sections: [Recommendation, Key Risks]` in the place of `json_schema`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator

from judgekit.checks.base import Absent
from judgekit.checks.data import JsonSchema, breach
from judgekit.checks.sections import HasSections
from judgekit.checks.wording import kind_of
from judgekit.errors import Complaint, InputError, did_you_mean, raise_complaints
from judgekit.reading.forms import Bool, Form, Text, fill
from judgekit.reading.text import shown, without_surrogates
from judgekit.reading.yaml_text import read_yaml
from judgekit.records import Case, Output, Place
from judgekit.release.digests import digest, without_remarks
from judgekit.rubrics.files import builtin_folder
from judgekit.texts.jsontext import Found, find_object, json_in, meant_as_json, why_no_object
from judgekit.texts.quoting import quote
from judgekit.texts.visible import has_visible

FOLDER = "formats"
"""Below `rubrics/`."""
OFF_FORMAT = "off-format"
"""Tag of a golden fixture that breaks the format on purpose; its description says why."""
_NO_JSON = "no JSON that can be read"
_SUFFIXES = (".yaml", ".yml")
_MOST_MISTAKES = 1000
"""Of one output; a long list may break a format at every element."""


@dataclass(frozen=True, slots=True)
class Mistake:
    """One way in which an output does not meet a format."""

    kind: str
    """The same for outputs that break the format alike: no index, no quoted value."""
    said: str
    """With the place and what was found there."""


class FormatForm(Form):
    """What a format file holds."""

    name: Text = Field(description="Name of the format, as agents declare it before the slash.")
    version: Text = Field(description="Its version, after the slash; raise it whenever the format changes.")
    description: Text = Field("", description="For people; not part of what is locked.")
    json_schema: JsonSchema | None = Field(None, description="JSON Schema of the emitted JSON, inline or a file.")
    or_text: Bool = Field(False, description="true: a text that is not meant as JSON meets the format, too.")
    sections: HasSections | None = Field(None, description="Titles that must all be headings of the answer.")

    @field_validator("json_schema", "sections", mode="before")
    @classmethod
    def _as_check(cls, value: Any, info: ValidationInfo) -> Any:
        check, options = (JsonSchema, {}) if info.field_name == "json_schema" else (HasSections, {"match": "exact"})
        try:
            return check.model_validate({"value": value, **options}, context=info.context)
        except ValidationError as problem:
            said = [str(error["msg"]).removeprefix("Value error, ") for error in problem.errors(include_url=False)]
            raise ValueError("; ".join(said)) from None

    @model_validator(mode="after")
    def _says_one_thing(self) -> FormatForm:
        if (self.json_schema is None) == (self.sections is None):
            raise ValueError("needs either json_schema or sections")
        if self.or_text and self.sections is not None:
            raise ValueError("or_text belongs to json_schema: sections are those of a text anyway")
        for field in ("name", "version"):
            if not getattr(self, field).strip() or "/" in getattr(self, field):
                raise ValueError(f'"{field}" must be a word without a slash')
        return self


@dataclass(frozen=True)
class Format:
    """A declared format."""

    form: FormatForm
    file: str

    @property
    def id(self) -> str:
        """`NAME/VERSION`."""
        return f"{self.form.name}/{self.form.version}"

    @cached_property
    def digest(self) -> str:
        """Hash of what the format asks for: not of layout, comments, descriptions and the order of keys."""
        schema = self.form.json_schema
        titles = self.form.sections
        return digest(
            {
                "json_schema": None if schema is None else without_remarks(schema.value),
                "or_text": self.form.or_text,
                "sections": None if titles is None else sorted(titles.value),
            }
        )

    def mistakes(self, text: str) -> list[Mistake]:
        """What keeps an output's text from meeting this format; empty if it does.

        The JSON that counts is the one that a rubric would read: bare, fenced or within prose, the first object with
        a key that the schema names.

        Example:
            >>> scarlet = find_format("scarlet/1", root=Path())
            >>> [one.said for one in scarlet.mistakes('Facts: {"triples": ["Ada"]}')]
            ['$.triples[0] is "Ada" (string), wanted object']
        """
        if not has_visible(text):
            return [Mistake("the output is empty", "the output is empty")]
        text = without_surrogates(text)
        if self.form.sections is not None:
            return _without_sections(self.form.sections, text)
        assert self.form.json_schema is not None
        found = _emitted(text, self._keys)
        if self.form.or_text and not meant_as_json(text) and not (found and self._is_named(found.value)):
            return []
        if found is None:
            return [Mistake(_NO_JSON, why_no_object(text))]
        try:
            errors = self.form.json_schema.errors(found.value)
        except Absent as problem:
            return [Mistake("the JSON cannot be validated", str(problem))]
        return [Mistake(_kind(error), breach(error)) for error in _nearest(errors[:_MOST_MISTAKES])]

    @cached_property
    def _keys(self) -> frozenset[str]:
        assert self.form.json_schema is not None
        return frozenset(_top_keys(self.form.json_schema.value))

    def _is_named(self, value: Any) -> bool:
        return isinstance(value, Mapping) and bool(self._keys & value.keys())


def find_format(declared: str, *, root: Path) -> Format:
    """The format that an agent declares as `NAME/VERSION`.

    Args:
        declared: As in the settings.
        root: Root of the project; its `rubrics/formats/` comes before the built-in ones.

    Raises:
        InputError: not of that form, no such format, another version, or mistakes in its file.

    Example:
        >>> find_format("reagan/1", root=Path()).id
        'reagan/1'
    """
    name, slash, version = declared.partition("/")
    if not slash or not name.strip() or not version.strip() or "/" in version:
        raise InputError(f'the format "{declared}" must be NAME/VERSION, such as "scarlet/1".')
    path = _locate(name, root)
    found = load_format(path)
    if found.form.name != name:
        raise InputError(f'{shown(path)}: is found as "{name}" and names itself "{found.form.name}"; make them one.')
    if found.form.version != version:
        raise InputError(
            f'{shown(path)}: is version {found.form.version} of "{name}", and "{declared}" is declared; '
            "raise the one that is behind."
        )
    return found


def load_format(path: Path) -> Format:
    """The format in a file.

    Raises:
        InputError: a missing or unreadable file, or any mistakes in it, all in one message with their lines.
    """
    documents = read_yaml(path)
    if len(documents) != 1 or not isinstance(documents[0], Mapping):
        raise InputError(
            f"{shown(path)}: a format file holds one mapping with name, version and json_schema or sections."
        )
    form, complaints = fill(FormatForm, documents[0], file=shown(path), context=Place(path.parent, path.parent))
    raise_complaints(complaints)
    if form is None:
        raise InputError(str(Complaint(shown(path), None, "no format could be read.")))
    return Format(form, shown(path))


def _locate(name: str, root: Path) -> Path:
    folders = [root / "rubrics" / FOLDER, builtin_folder() / FOLDER]
    for folder in folders:
        # Looked up in the listing: a name is no path, whatever it holds.
        found = [path for path in _files(folder) if path.stem == name]
        if len(found) > 1:
            raise InputError(f"{shown(found[0])}: {found[1].name} stands beside it; keep one of the two.")
        if found:
            return found[0]
    known = sorted({path.stem for folder in folders for path in _files(folder)})
    raise InputError(
        f'there is no format "{name}": neither {shown(folders[0] / name)}.yaml nor built in.{did_you_mean(name, known)}'
    )


def _files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix in _SUFFIXES) if folder.is_dir() else []


# ------------------------------------------------------------------------------------------------------- what breaks it


def _emitted(text: str, keys: frozenset[str]) -> Found | None:
    """The JSON of an output that a rubric would read; without keys to tell it by, the first one."""
    return find_object(text, lambda value: bool(keys & value.keys())) if keys else json_in(text)


def _top_keys(schema: Any) -> Iterator[str]:
    if isinstance(schema, Mapping):
        yield from map(str, schema.get("properties", {}))
        yield from map(str, schema.get("required", ()))
        for combined in ("anyOf", "oneOf", "allOf"):
            for branch in schema.get(combined, ()):
                yield from _top_keys(branch)


def _nearest(errors: list[Any]) -> Iterator[Any]:
    """The errors; where none of several schemas fits, those of the one that was meant: broken deepest, then least."""
    for error in errors:
        branches = getattr(error.kind, "context", None)
        if branches and all(branches):
            yield from _nearest(min(branches, key=lambda branch: (-_depth(branch), len(branch))))
        else:
            yield error


def _depth(errors: list[Any]) -> int:
    return max(len(error.instance_path) for error in errors)


def _kind(error: Any) -> str:
    path = "$" + "".join("[*]" if isinstance(part, int) else f".{part}" for part in error.instance_path)
    rule = str(error.schema_path[-1]) if error.schema_path else "false"
    if rule == "type":
        return f"{path} is of type {kind_of(error.instance)}"
    if rule == "required":
        return f'{path} lacks "{error.kind.property}"'
    return f"{path} breaks {rule}"


def _without_sections(check: HasSections, text: str) -> list[Mistake]:
    lacks = _lacks(check, text)
    if len(lacks) == len(check.value):
        # As rubrics do: keys of an object within prose or a fence are titles, too.
        found = find_object(text, lambda value: True)
        if found is None and meant_as_json(text):
            return [Mistake(_NO_JSON, why_no_object(text))]
        if found is not None and not found.alone:
            lacks = _lacks(check, text[found.start : found.end])
    return lacks


def _lacks(check: HasSections, text: str) -> list[Mistake]:
    items = check.items(Output(text), _NO_CASE).items
    return [
        Mistake(f"no section {quote(title)}", item.missing)
        for title, item in zip(check.value, items, strict=True)
        if not item.met
    ]


_NO_CASE = Case("format")

"""Forms: pydantic models of what users write, with their text kept as written and their mistakes explained.

`Form` is the base of every model that a user's file fills: unknown keys are refused, hyphens and underscores are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    GetJsonSchemaHandler,
    ValidationError,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue

from judgekit.errors import Complaint
from judgekit.reading.mistakes import KeyMistake, explain
from judgekit.reading.yaml_text import line_of


def as_text(value: Any) -> str:
    """The value as the user wrote it: `1.10` stays "1.10", `true` is "true".

    Raises:
        ValueError: nothing was written, or a list or mapping was.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(getattr(value, "text", value))
    if value is None:
        raise ValueError('is empty (null); write "" for an empty text, and the words "null" and "~" in quotes')
    kind = "list" if isinstance(value, list | tuple) else "mapping" if isinstance(value, Mapping) else None
    raise ValueError(f"must be text, not a {kind or type(value).__name__}")


def as_text_list(value: Any) -> tuple[str, ...]:
    """One text or a list of texts, as a tuple."""
    if isinstance(value, list | tuple):
        return tuple(as_text(item) for item in value)
    return (as_text(value),)


def as_exact(value: Any) -> Fraction:
    """A number exactly as written: 0.7 is 7/10, not the nearest float.

    Raises:
        ValueError: not a finite number.

    Example:
        >>> as_exact(0.7)
        Fraction(7, 10)
    """
    if isinstance(value, Fraction):
        return value
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("must be a number")
    try:
        number = Decimal(str(getattr(value, "text", value)).strip())
        # As a fraction, 1e999999999 would fill the memory.
        if number.is_finite() and number and abs(number.adjusted()) > 30:
            raise ValueError
        return Fraction(number)
    except (InvalidOperation, ValueError, OverflowError):
        raise ValueError(f'must be a number, not "{value}"') from None


def as_bool(value: Any) -> bool:
    """True or False, from nothing but `true` and `false`: `yes` and `on` are text in these files."""
    if isinstance(value, bool):
        return value
    if value in ("true", "false"):
        return bool(value == "true")
    raise ValueError(f'must be true or false, not "{value}"')


def as_whole(value: Any) -> int:
    """A whole number from 1; digits in a text count, as cells of a table are text.

    Raises:
        ValueError: anything else, true and false included.
    """
    text = str(getattr(value, "text", value)).strip()
    if isinstance(value, bool) or not text.isdecimal() or len(text) > 18 or int(text) < 1:
        raise ValueError("must be a whole number of at least 1" + ("" if value is None else f', not "{text[:40]}"'))
    return int(text)


Whole = Annotated[int, BeforeValidator(as_whole), WithJsonSchema({"type": "integer", "minimum": 1})]
"""A whole number from 1."""
Bool = Annotated[bool, BeforeValidator(as_bool)]
"""`true` or `false`, and no other word for it."""
_TEXT = WithJsonSchema({"type": ["string", "number", "boolean"]})
Text = Annotated[str, BeforeValidator(as_text), _TEXT]
"""Text as written, numbers and booleans included."""
TextList = Annotated[
    tuple[str, ...],
    BeforeValidator(as_text_list),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": ["string", "number", "boolean"]},
                {"type": "array", "items": {"type": ["string", "number", "boolean"]}},
            ]
        }
    ),
]
"""One text or several."""
Exact = Annotated[Fraction, BeforeValidator(as_exact), WithJsonSchema({"type": "number"})]
"""A number kept exactly as written."""


class Form(BaseModel):
    """Base of all forms: frozen, unknown keys refused, hyphen and underscore spellings of a key are one."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, hide_input_in_errors=True)

    shorthand: ClassVar[Mapping[str, Any] | None] = None
    """JSON Schema of what may stand in the place of the mapping, where a validator takes something shorter."""

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        made = handler(core_schema)
        form = handler.resolve_ref_schema(made)
        for name in [name for name in form.get("properties", {}) if "_" in name]:
            hyphened = name.replace("_", "-")
            form["properties"][hyphened] = form["properties"][name]
            if name in form.get("required", []):
                form["required"].remove(name)
                either = {"anyOf": [{"required": [name]}, {"required": [hyphened]}]}
                form["allOf"] = [*form.get("allOf", []), either]
        return made if cls.shorthand is None else {"anyOf": [dict(cls.shorthand), made]}

    @model_validator(mode="before")
    @classmethod
    def _one_spelling(cls, data: Any) -> Any:
        if not isinstance(data, Mapping):
            return data
        return one_spelling(data, cls.model_fields)


def one_spelling(data: Mapping[str, Any], known: Iterable[str]) -> dict[str, Any]:
    """The mapping with hyphens turned to underscores in every key that is known by its underscore spelling.

    Raises:
        ValueError: both spellings of one key are given.
    """
    fields = set(known)
    result: dict[str, Any] = {}
    for key, value in data.items():
        plain = key.replace("-", "_") if isinstance(key, str) else key
        name = plain if plain in fields else key
        if name in result:
            raise KeyMistake(key, _DOUBLED)
        result[name] = value
    return result


_DOUBLED = "is a duplicate key: hyphen and underscore are the same"


F = TypeVar("F", bound=BaseModel)


def fill(
    form: type[F], data: Any, *, file: str, tree: Any = None, line: int | None = None, context: Any = None
) -> tuple[F | None, list[Complaint]]:
    """The filled form and no complaints, or None and every mistake with its line.

    Args:
        form: The model to fill.
        data: What the user wrote.
        file: Shown in complaints.
        tree: Tree of read_yaml that knows the lines; default `data`.
        line: Line to use where the tree knows none, as in a row of a table.
        context: Handed to validators (`info.context`): folders, allow_code.
    """
    tree = data if tree is None else tree
    doubled: list[Complaint] = []
    if isinstance(data, Mapping):
        # Set aside here, so that one key given twice does not hide what else is wrong.
        kept, twice = _first_spellings(data, form.model_fields)
        doubled = [Complaint(file, line_of(tree, (key,)) or line, f'"{key}" {_DOUBLED}.') for key in twice]
        data = kept if twice else data
    try:
        filled = form.model_validate(data, context=context)
    except ValidationError as problem:
        return None, doubled + explain(problem, form, file=file, tree=tree, line=line)
    return (None if doubled else filled), doubled


def _first_spellings(data: Mapping[Any, Any], known: Iterable[str]) -> tuple[dict[Any, Any], list[str]]:
    fields, seen = set(known), set()
    kept: dict[Any, Any] = {}
    twice: list[str] = []
    for key, value in data.items():
        plain = str(key).replace("-", "_")
        if plain in fields and plain in seen:
            twice.append(str(key))
        else:
            seen.add(plain)
            kept[key] = value
    return kept, twice

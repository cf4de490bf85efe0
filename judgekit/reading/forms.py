"""Forms: pydantic models of what users write, with their text kept as written and their mistakes explained.

`Form` is the base of every model that a user's file fills: unknown keys are refused, hyphens and underscores are one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError, WithJsonSchema, model_validator
from pydantic_core import ErrorDetails

from judgekit.errors import Complaint, did_you_mean
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


class KeyMistake(ValueError):
    """A validator of a form raises it where the mistake is in one key of the mapping that it was given."""

    def __init__(self, key: str, said: str) -> None:
        super().__init__(said)
        self.key = key


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


def explain(
    problem: ValidationError, form: type[BaseModel], *, file: str, tree: Any = None, line: int | None = None
) -> list[Complaint]:
    """Each mistake of a ValidationError as a complaint with line and did-you-mean, in the order of `mistakes`."""
    complaints = []
    for error in mistakes(problem, tree):
        path = error["loc"]
        cause = error.get("ctx", {}).get("error")
        if isinstance(cause, KeyMistake):
            path = (*path, cause.key)
        place = line_of(tree, path)
        names = _walk(path, tree)[0]
        if error["type"] == "extra_forbidden":
            key = str(path[-1])
            known = _fields_at(form, path[:-1])
            said = f'unknown key "{key}".{did_you_mean(key, known)}'
            if known and "Did you mean" not in said:
                said += f" Known keys: {', '.join(sorted(known))}."
        elif error["type"] == "missing":
            said = f'"{".".join(names)}" is missing.'
        else:
            what = _what(error).rstrip(".")
            said = f'"{".".join(names)}" {what}.' if names else f"{what}."
        complaints.append(Complaint(file, place or line, said))
    return complaints


def mistakes(problem: ValidationError, tree: Any) -> list[ErrorDetails]:
    """The errors of a ValidationError, without what pydantic says of the forms of a union that were not meant.

    What was meant is told by what was written: a mapping means the form, a list the list, the rest the text.
    """
    errors = problem.errors(include_url=False)
    branches = [_walk(error["loc"], tree)[1] for error in errors]
    fitting = {(at, branch) for found in branches for at, branch, fits in found if fits}
    answered = {at for at, _ in fitting}
    return [
        error
        for error, found in zip(errors, branches, strict=True)
        if all(at not in answered or (at, branch) in fitting for at, branch, _ in found)
    ]


_Branch = tuple[tuple[str, ...], str, bool]
"""Where a union stands, which of its forms was tried, and whether that form is what was meant."""


def _walk(path: tuple[str | int, ...], tree: Any) -> tuple[list[str], list[_Branch]]:
    """The keys on a path of pydantic's, and the branches of unions on it."""
    names: list[str] = []
    branches: list[_Branch] = []
    for part in path:
        if isinstance(tree, Mapping) and (key := _spelling(tree, part)) is not None:
            names.append(str(part))
            tree = tree[key]
        elif isinstance(tree, list | tuple) and isinstance(part, int) and part < len(tree):
            names.append(str(part))
            tree = tree[part]
        elif isinstance(part, str) and _is_branch(part):
            branches.append((tuple(names), part, _fits(part, tree)))
        else:
            names.append(str(part))
            tree = None
    return names, branches


def _spelling(tree: Mapping[Any, Any], part: str | int) -> Any:
    if part in tree:
        return part
    return next((one for one in tree if isinstance(one, str) and one.replace("-", "_") == part), None)


def _is_branch(part: str) -> bool:
    return part.endswith("Form") or "[" in part or "(" in part or part in ("str", "int", "float", "bool")


def _fits(branch: str, value: Any) -> bool:
    if isinstance(value, Mapping):
        return branch.endswith("Form") or branch.startswith("dict[")
    if isinstance(value, list | tuple):
        return branch.startswith(("tuple[", "list["))
    return not branch.endswith("Form") and not branch.startswith(("tuple[", "list[", "dict["))


_MUST_BE = {
    "dict_type": "must be a mapping",
    "model_type": "must be a mapping",
    "mapping_type": "must be a mapping",
    "model_attributes_type": "must be a mapping",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "int_type": "must be a whole number",
    "int_parsing": "must be a whole number",
    "int_from_float": "must be a whole number",
    "float_type": "must be a number",
    "float_parsing": "must be a number",
}


def _what(error: ErrorDetails) -> str:
    if error["type"] in _MUST_BE:
        said = _MUST_BE[error["type"]]
        return f"is empty; it {said}, or leave the key out" if error["input"] is None else said
    what = error["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return what.removeprefix("Input ")


def _fields_at(form: type[BaseModel], path: tuple[str | int, ...]) -> list[str]:
    """Field names of the (possibly nested) form at a path of pydantic's; empty where it cannot be told."""
    current: Any = form
    for part in path:
        if isinstance(part, int):
            continue
        if isinstance(current, type) and issubclass(current, BaseModel) and part in current.model_fields:
            current = _form_in(current.model_fields[part].annotation)
        elif isinstance(part, str) and isinstance(current, type) and current.__name__ == part:
            continue
    return list(current.model_fields) if isinstance(current, type) and issubclass(current, BaseModel) else []


def _form_in(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        found = _form_in(inner)
        if found is not None:
            return found
    return None

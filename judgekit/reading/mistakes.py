"""What pydantic says of a form in, complaints that a person can act on out: line, key as written, did-you-mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from judgekit.errors import Complaint, did_you_mean
from judgekit.reading.yaml_text import line_of


class KeyMistake(ValueError):
    """A validator of a form raises it where the mistake is in one key of the mapping that it was given."""

    def __init__(self, key: str, said: str) -> None:
        super().__init__(said)
        self.key = key


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

    What was meant is told by what was written: a mapping means the form (whose class is called …Form), a list the list,
    the rest the text.
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

"""What stands under `expect` in, the validated checks of a case out, every mistake with its line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel, ValidationError

from judgekit.errors import Complaint, did_you_mean
from judgekit.plugins import lookup, names
from judgekit.reading.mistakes import explain, mistakes
from judgekit.reading.yaml_text import YamlList, YamlMap
from judgekit.records import CheckUse, Place

Entry = tuple[Any, Any, int | None]
"""Name as written, value, line."""


class NestedMistakes(ValueError):
    """The mistakes of checks inside a check; a validator raises it so that each keeps its own line."""

    def __init__(self, complaints: Sequence[Complaint]) -> None:
        super().__init__("; ".join(one.message for one in complaints))
        self.complaints = tuple(complaints)


def parse_expect(
    expect: Any, *, place: Place, file: str, line: int | None = None
) -> tuple[tuple[CheckUse, ...], list[Complaint]]:
    """The checks of one case, and every mistake in them.

    Args:
        expect: A mapping of names to values, or a list of such mappings where one check is needed twice.
        place: Where files named by a check are found, and whether code may run.
        file: Shown in complaints.
        line: Line to use where the tree knows none.

    Example:
        >>> uses, complaints = parse_expect({"not-contains": "refund"}, place=Place(), file="")
        >>> uses[0].metric, uses[0].negated, complaints
        ('not_contains', True, [])
    """
    uses: list[CheckUse] = []
    complaints: list[Complaint] = []
    seen: dict[str, int] = {}
    for group in _groups(expect, file, line, complaints):
        here: dict[str, str] = {}
        for written, value, at in group:
            name, negated = _read_name(written)
            if name is None:
                complaints.append(Complaint(file, at, _unknown(written)))
                continue
            metric = f"not_{name}" if negated else name
            if metric in here:
                said = f'duplicate key: "{here[metric]}" and "{written}" are the same check.'
                complaints.append(Complaint(file, at, f"{said} Where one is needed twice, write a list of mappings."))
                continue
            here[metric] = written
            check, wrong = _fill(name, str(written), value, place, file, at)
            opposite = name if negated else f"not_{name}"
            wrong = [replace(one, message=one.message.replace("not_NAME", opposite)) for one in wrong]
            complaints += wrong
            if check is not None:
                seen[metric] = seen.get(metric, 0) + 1
                shown = metric if seen[metric] == 1 else f"{metric}#{seen[metric]}"
                uses.append(CheckUse(shown, check, negated, check.required, at))
    return tuple(uses), complaints


def _groups(expect: Any, file: str, line: int | None, complaints: list[Complaint]) -> Iterator[list[Entry]]:
    if isinstance(expect, Mapping):
        yield list(_entries(expect, line))
        return
    if not isinstance(expect, list | tuple):
        said = "`expect` must be a mapping of checks, or a list of such mappings."
        complaints.append(Complaint(file, line, f"{said} `judgekit list checks` shows all."))
        return
    lines = expect.lines if isinstance(expect, YamlList) else [line] * len(expect)
    for entry, at in zip(expect, lines, strict=True):
        if isinstance(entry, Mapping):
            yield list(_entries(entry, at))
        else:
            said = f'an entry of the list must be a mapping such as `contains: text`, not "{entry}".'
            complaints.append(Complaint(file, at, said))


def _entries(mapping: Mapping[Any, Any], line: int | None) -> Iterator[Entry]:
    lines = mapping.lines if isinstance(mapping, YamlMap) else {}
    for name, value in mapping.items():
        yield name, value, lines.get(name, line)


def _read_name(written: Any) -> tuple[str | None, bool]:
    """The registered name and whether it is negated; None for an unknown one."""
    known = names("checks")
    plain = str(written).replace("-", "_")
    if plain in known:
        return plain, False
    bare = plain.removeprefix("not_")
    return (bare, True) if bare != plain and bare in known else (None, False)


def _unknown(written: Any) -> str:
    known = names("checks")
    negated = str(written).replace("-", "_").startswith("not_")
    candidates = [f"not_{name}" for name in known] if negated else known
    hint = did_you_mean(str(written), candidates)
    return f'unknown check "{written}".{hint} `judgekit list checks` shows all {len(known)}.'


def _fill(
    name: str, written: str, value: Any, place: Place, file: str, line: int | None
) -> tuple[Any, list[Complaint]]:
    form: type[BaseModel] = lookup("checks", name)
    short = "value" in form.model_fields and not _is_option_form(form, value)
    data = _with_line({"value": value}, line) if short else value
    try:
        return form.model_validate(data, context=place), []
    except ValidationError as problem:
        return None, _explained(problem, form, written, data, short, file, line)
    except RecursionError:
        return None, [Complaint(file, line, f"{written}: nested too deeply.")]


def _is_option_form(form: type[BaseModel], value: Any) -> bool:
    """True if the mapping gives `value` and options; a schema or a mapping of fields is itself the value."""
    if not isinstance(value, Mapping):
        return False
    keys = {str(key).replace("-", "_") for key in value}
    if getattr(form, "takes_mapping", False):
        return "value" in keys and keys <= set(form.model_fields)
    # One known key is enough to tell that options are meant: then a misspelt one is named.
    return not keys.isdisjoint(form.model_fields)


def _with_line(data: dict[str, Any], line: int | None) -> YamlMap:
    mapping = YamlMap(data)
    mapping.line = line or 0
    mapping.lines = dict.fromkeys(data, line or 0)
    return mapping


def _explained(
    problem: ValidationError,
    form: type[BaseModel],
    written: str,
    data: Any,
    short: bool,
    file: str,
    line: int | None,
) -> list[Complaint]:
    """Each mistake with the check's name; those of nested checks as they are."""
    result: list[Complaint] = []
    told = explain(problem, form, file=file, tree=data, line=line)
    for error, complaint in zip(mistakes(problem, data), told, strict=True):
        cause = error.get("ctx", {}).get("error")
        if isinstance(cause, NestedMistakes):
            result += [replace(one, file=file, line=one.line or line) for one in cause.complaints]
            continue
        message = complaint.message
        if error["type"] == "model_type" and not error["loc"]:
            keys = ", ".join(key for key in form.model_fields if key != "required")
            message = f'"{written}" must be a mapping of {keys}.'
        elif short and message.startswith('"value'):
            # The person wrote no `value`: the mistake is in what stands after the name of the check.
            message = f'"{written}{message.removeprefix(chr(34) + "value")}'
        else:
            message = f"{written}: {message}"
        result.append(replace(complaint, line=complaint.line or line, message=message))
    return result

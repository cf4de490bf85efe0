"""A case and its suite's defaults in, what the case then says out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from judgekit.reading.yaml_text import YamlList, YamlMap
from judgekit.records import CheckUse


def merged(defaults: YamlMap, own: YamlMap) -> YamlMap:
    """A case with its suite's defaults.

    The case's own value wins; `vars` are merged key by key, `tags` and `rubrics` are joined (a rubric named by both is
    the case's). Checks are joined once they are compiled. A case that is only to be read takes no rubrics and no
    golden file.
    """
    result = YamlMap(defaults)
    if own.get("expect") == "none":
        result.pop("rubrics", None)
        result.pop("golden", None)
    elif result.get("expect") == "none" and not {"rubrics", "golden"}.isdisjoint(own):
        del result["expect"]
    # A row of a table has no lines of keys, and those of the suite's file would be wrong for it.
    result.line, result.lines = own.line, {**defaults.lines, **dict.fromkeys(own, own.line), **own.lines}
    for key, value in own.items():
        base = defaults.get(key)
        if key == "vars" and isinstance(base, Mapping) and isinstance(value, Mapping):
            value = _joined(base, value)
        elif key == "tags" and base is not None and value is not None:
            value = list(dict.fromkeys([*_as_list(base), *_as_list(value)]))
        elif key == "rubrics" and base is not None and value is not None:
            named = {_name(one) for one in _as_list(value)}
            value = [one for one in _as_list(base) if _name(one) not in named] + _as_list(value)
        result[key] = value
    return result


def _joined(base: Mapping[str, Any], own: Mapping[str, Any]) -> YamlMap:
    result = YamlMap({**base, **own})
    result.line = getattr(own, "line", 0)
    result.lines = {**getattr(base, "lines", {}), **getattr(own, "lines", {})}
    return result


def numbered(uses: Iterable[CheckUse]) -> tuple[CheckUse, ...]:
    """The checks of two lists as of one: a second `contains` is `contains#2`."""
    seen: dict[str, int] = {}
    result = []
    for use in uses:
        name = use.metric.partition("#")[0]
        seen[name] = seen.get(name, 0) + 1
        result.append(replace(use, metric=name if seen[name] == 1 else f"{name}#{seen[name]}"))
    return tuple(result)


def entry_line(data: YamlMap, name: str) -> int | None:
    """Line of an entry of `rubrics:`; 0 where the file has no lines, None if there is no such entry."""
    listed = data.get("rubrics")
    for number, entry in enumerate(_as_list(listed)):
        if str(_name(entry)) == name:
            return listed.lines[number] if isinstance(listed, YamlList) else data.lines.get("rubrics", 0)
    return None


def _as_list(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else [value]


def _name(entry: Any) -> Any:
    return entry.get("name") if isinstance(entry, Mapping) else entry

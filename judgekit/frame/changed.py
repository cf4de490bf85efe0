"""The manifests of two runs in; what one case asks otherwise in the one than in the other out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PARTS = ("input", "vars", "context", "reference")
"""What the hashes under `asks` of a case stand for, in order."""


class Definitions:
    """What the cases of one run ask, as its manifest holds it.

    Args:
        manifest: With `cases`, `metrics` and `judges`.
    """

    def __init__(self, manifest: Mapping[str, Any]) -> None:
        self.cases: Mapping[str, Mapping[str, Any]] = manifest.get("cases") or {}
        self._metrics: Mapping[str, Mapping[str, Any]] = manifest.get("metrics") or {}
        self._judges: dict[str, set[str]] = {}
        for one in manifest.get("judges") or ():
            self._judges.setdefault(one["rubric"], set()).add(one["identity"])

    def required(self, metric: str) -> bool:
        """Whether a metric decides over its cases."""
        return bool((self._metrics.get(metric) or {}).get("required"))

    def judges(self, metric: str) -> set[str]:
        """Identities of the judges that scored by it; empty where none did."""
        return self._judges.get(metric, set())


def changed(case_id: str, before: Definitions, now: Definitions) -> list[str]:
    """What decides over a case and is another than before, in words; empty where a result may be compared.

    What only informs (a check or rubric that is not required) is not looked at: it can make no case fail.

    Args:
        case_id: A case of both runs.
        before: Definitions of the earlier run.
        now: Those of the later one.
    """
    old, new = before.cases[case_id], now.cases[case_id]
    found = parts_changed(old.get("asks"), new.get("asks"))
    found += [key for key in ("should_pass", "trials") if old.get(key) != new.get(key)]
    had: Mapping[str, str] = old.get("metrics") or {}
    has: Mapping[str, str] = new.get("metrics") or {}
    for metric in {**had, **has}:
        decided, decides = metric in had and before.required(metric), metric in has and now.required(metric)
        if not decided and not decides:
            continue
        if not decided:
            found.append(f"{metric} is new" if metric not in had else f"{metric} is now required")
        elif not decides:
            found.append(f"{metric} is gone" if metric not in has else f"{metric} is no longer required")
        elif had[metric] != has[metric]:
            found.append(metric)
        elif before.judges(metric) and now.judges(metric) and before.judges(metric) != now.judges(metric):
            found.append(f"judge of {metric}")
    return found


def parts_changed(before: list[str | None] | None, now: list[str | None] | None) -> list[str]:
    """Which parts of a case differ, by their hashes; without hashes nothing can be said, and `input` stands for it.

    Example:
        >>> parts_changed(["a", None, "c", None], ["a", None, "x", "y"])
        ['context', 'reference']
    """
    if before is None or now is None or len(before) != len(now):
        return ["input"] if before != now else []
    return [part for part, one, other in zip(PARTS, before, now, strict=True) if one != other]

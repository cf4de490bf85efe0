"""Units and rows in a line each, and a gate written as in settings."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

import pytest

from judgekit.config import GateSettings
from judgekit.frame.tables import ResultRow
from judgekit.frame.units import Unit
from judgekit.gate import decide
from judgekit.records import Decision

SUITE = "suite"


def unit(case_id: str, status: str, *, variant: str = "default", n: int = 1, passed: int = 0, open_: int = 0) -> Unit:
    negative = status == "negative_ok" or status.startswith("negative ")
    return Unit(
        case_id=case_id,
        suite=SUITE,
        variant=variant,
        status=status.removeprefix("negative "),
        n_trials=n,
        n_passed=passed or (n if status == "pass" else 0),
        n_open=open_ or (n if status.endswith("error") else 0),
        negative=negative,
        cause=None,
        reason="",
    )


def units(statuses: str, *, variant: str = "default") -> list[Unit]:
    """One unit for each letter: p pass, f fail, e error, s skipped, n negative_ok, N a negative that passed."""
    names = {"p": "pass", "f": "fail", "e": "error", "s": "skipped", "n": "negative_ok", "N": "negative fail"}
    return [unit(f"c{number}", names[letter], variant=variant) for number, letter in enumerate(statuses)]


def row(case_id: str, score: float | None, *, metric: str = "quality", **fields: Any) -> ResultRow:
    """A judged row on a scale of 0 to 1; without a score it is an error."""
    blank: dict[str, Any] = dict.fromkeys(ResultRow._fields)
    blank |= {
        "run_id": "r",
        "case_id": case_id,
        "agent": "",
        "variant": "default",
        "against": "",
        "trial": 0,
        "kind": "judge",
        "metric": metric,
        "required": True,
        "status": "error" if score is None else "scored",
        "cause": "provider" if score is None else None,
        "score": score,
        "scale_min": 0.0,
        "scale_max": 1.0,
        "reason": "",
        "flags": "",
        "tags": "",
    }
    return ResultRow(**{**blank, **fields})


def rows(scores: Iterable[float | None], **fields: Any) -> list[ResultRow]:
    return [row(f"c{number}", score, **fields) for number, score in enumerate(scores)]


Decide = Callable[..., Decision]


@pytest.fixture
def gate() -> Decide:
    def decided(
        rules: dict[str, Any],
        cases: str | list[Unit],
        results: Iterable[ResultRow] = (),
        *,
        gated: Iterable[str] | None = None,
        fail_under: str | None = None,
        **how: Any,
    ) -> Decision:
        found = units(cases) if isinstance(cases, str) else cases
        chosen = list(dict.fromkeys(one.variant for one in found)) if gated is None else list(gated)
        rate = None if fail_under is None else Fraction(fail_under)
        settings = GateSettings.model_validate(rules)
        return decide(settings, found, list(results), gated={SUITE: chosen}, fail_under=rate, **how)

    return decided


@pytest.fixture
def make() -> Any:
    """The makers above, for tests: `make.unit`, `make.units`, `make.row`, `make.rows`."""

    class Makers:
        unit = staticmethod(unit)
        units = staticmethod(units)
        row = staticmethod(row)
        rows = staticmethod(rows)

    return Makers

"""What was found of drift in, what a terminal shows out."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

from judgekit.release.drift import AgentDrift, Drift, Example, Reading
from judgekit.reports.wording import figure, printable, share
from judgekit.writing import clean

_LONGEST = 160
"""Characters of what is said of one example."""
_MARGIN = " " * 16


def show_drift(found: Drift, *, as_json: bool = False) -> None:
    """Print each agent's drift to stdout, the verdict last."""
    if as_json:
        is_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        click.echo(json.dumps(clean(_as_json(found)), ensure_ascii=not is_unicode, indent=1))
        return
    for one in found.agents:
        for line in [*_agent(one), ""]:
            click.echo(line)
    click.echo(_verdict(found))


def _as_json(found: Drift) -> dict[str, Any]:
    agents = []
    for one in found.agents:
        told = asdict(one)
        for reading, data in zip(one.readings, told["readings"], strict=True):
            data["n_blind"] = reading.n_blind
            data["blind_share"] = reading.n_blind / reading.n_scored if reading.n_scored else None
        conforming = one.n_conforming / one.n_outputs if one.n_outputs else None
        agents.append({**told, "conforming_share": conforming, "allowed": found.allowed(one)})
    return {"exit_code": found.exit_code, "verdict": _verdict(found), "agents": agents}


def _agent(one: AgentDrift) -> Iterator[str]:
    missing = one.n_total - one.n_outputs
    yield f"{_line(one.agent)} against {_line(one.format)}"
    yield f"  conforming    {share(one.n_conforming, one.n_outputs)}{f'; {missing} without an output' * bool(missing)}"
    for kind in one.mistakes:
        yield f"  off format    {kind.n} × {_line(kind.kind)}"
        yield from _examples(kind.examples, kind.kind)
    for reading in one.readings:
        yield f"  read blindly  {_blind(reading)}"
        yield from _examples(reading.examples)
        unread = one.n_outputs - reading.n_scored
        if unread:
            yield f"{_MARGIN}{unread} not scored by {reading.rubric}: {_line(reading.unscored)}"


def _blind(one: Reading) -> str:
    said = f"{share(one.n_blind, one.n_scored)} by {one.rubric}"
    parts = [f"{one.n_off_format} off format"] * bool(one.n_off_format)
    parts += [f"{one.n_nothing} with nothing to count"] * bool(one.n_nothing)
    if not parts:
        return said
    reach = f"{one.n_passing or 'none'} of these {'reach' if one.n_passing > 1 else 'reaches'}"
    return f"{said}: {', '.join(parts)}; {reach} {figure(float(one.threshold))}"


def _examples(examples: tuple[Example, ...], kind: str = "") -> Iterator[str]:
    """Cases with their lines; what is said of them only where it says more than their kind."""
    alike: dict[str, list[str]] = {}
    for one in examples:
        alike.setdefault(one.said, []).append(f"{_line(one.case_id)}{f' (line {one.line})' if one.line else ''}")
    for said, cases in alike.items():
        yield f"{_MARGIN}{', '.join(cases)}{'' if said == kind else f': {_line(said)}'}"


def _verdict(found: Drift) -> str:
    if found.drifting:
        parts = [f"{share(one.n_drifting, one.n_total)} of the rows of {_line(one.agent)}" for one in found.drifting]
        return f"drift: {', '.join(parts)}"
    if found.undecided:
        parts = [f"{one.n_total - one.n_outputs} of {one.n_total} rows of {one.agent}" for one in found.undecided]
        return f"undecided: {', '.join(parts)} hold no output"
    tolerated = sum(one.n_drifting for one in found.agents)
    return f"no drift beyond what is tolerated ({tolerated} drifting)" if tolerated else "no drift"


def _line(text: str) -> str:
    """The text on one line, without what would command the terminal: outputs of models are quoted here."""
    line = " ".join("".join(one if one.isprintable() else " " for one in printable(text)).split())
    return line if len(line) <= _LONGEST else line[: _LONGEST - 1] + "…"

"""`judgekit probe`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judgekit.reports.wording import harmless

if TYPE_CHECKING:
    from judgekit.pipeline.probe import Probing


@click.command("probe")
@click.argument("run", default="latest")
@click.option("--judge", multiple=True, metavar="MODEL", help="Judge to probe; default: the run's own.")
@click.option("--rubric", "rubrics", multiple=True, metavar="NAME|FILE", help="File of a rubric that the run used.")
@click.option("--probe", "probes", multiple=True, metavar="NAME", help="Only this probe; repeat for more.")
@click.option("--most", type=int, metavar="N", help="At most N outputs, drawn by the seed.")
@click.option("--estimate", "only_estimate", is_flag=True, help="Predict calls, tokens and cost; asks nobody.")
@click.option("--runs", "out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the run folders.")
@click.option("--concurrency", type=int, metavar="N", help="Calls at the same time.")
@click.option("--rpm", type=int, metavar="N", help="Calls of live models per minute.")
@click.option("--max-cost", type=float, metavar="USD", help="Stop before the call that could exceed this.")
@click.option("--api-base", metavar="URL", help="Address of the server that live judges are asked at.")
@click.option("--seed", type=int, default=0, metavar="N", help="Seed of the draw, asked of the judge, too.")
@click.option("--no-cache", is_flag=True, help="Neither use nor keep replies of other runs.")
@click.option("--allow-code", is_flag=True, help="Let the scenario files name Python checks.")
@click.option("--json", "as_json", is_flag=True, help="Print what probe.json holds.")
def command(
    run: str, probes: tuple[str, ...], most: int | None, only_estimate: bool, as_json: bool, **given: Any
) -> int:
    """Find out what sways the judge of RUN: padding, formatting, authority, flattery, names, instructions, position.

    RUN is a path, an id, `latest` (the default) or `latest~1`. Its outputs are judged again as they were and dressed
    otherwise; what is found is written into the run folder as probe.json. Nothing of it changes a decision.
    """
    from judgekit.pipeline.options import Options, as_address, as_count, as_usd
    from judgekit.pipeline.probe import FILE, Probing, probe
    from judgekit.reading.text import shown

    for name, flag in (("concurrency", "--concurrency"), ("rpm", "--rpm")):
        given[name] = as_count(flag, given[name])
    given["max_cost"] = as_usd("--max-cost", given["max_cost"])
    given["api_base"] = as_address("--api-base", given["api_base"])
    options = Options(progress=not as_json, **given)
    found = probe(run, options, probes=probes, most=as_count("--most", most), only_estimate=only_estimate)
    if not isinstance(found, Probing):
        for one in found:
            cost = "no price known" if one.cost_usd is None else f"about ${one.cost_usd:.4f}"
            click.echo(f"{one.model}: {one.calls} calls, {one.cached} known already, {cost}")
        if not found:
            click.echo("no call of a live model")
        return 0
    if as_json:
        click.echo(json.dumps(found.record, indent=1))
    else:
        for note in found.notes:
            click.echo(f"note: {harmless(note)}", err=True)
        for line in _lines(found):
            click.echo(harmless(line))
    if found.stopped:
        click.echo(f"stopped: {harmless(str(found.stopped))}; the same command goes on", err=True)
        return 3
    if found.interrupted:
        click.echo("interrupted: what was answered is kept, the same command goes on", err=True)
        return 130
    if not as_json:
        click.echo(shown(found.path / FILE))
    return 0


def _lines(found: Probing) -> Iterator[str]:
    for judge in found.judges:
        yield f"{judge.metric} by {judge.judge}, {found.n_outputs} {'output' if found.n_outputs == 1 else 'outputs'}:"
        for one in judge.results:
            yield f"  {one.probe:<13} {one.finding:<12} {one.sentence}"
            if one.n_unread:
                yield f"{'':<28} {one.n_unread} more without a readable verdict: in no figure"
        costs = list(judge.costs.values())
        calls = sum(judge.n_calls.values())
        known = None if None in costs else sum(one for one in costs if one is not None)
        yield f"  {calls} calls, {'cost unknown' if known is None else f'${known:.4f}'}"
        yield ""
    for pair in found.positions:
        yield f"{pair.metric} by {pair.judge}, {pair.variant} against {pair.against}:"
        yield f"  {'position':<13} {pair.finding:<12} {pair.sentence}"
        yield ""
    for own in found.preferences:
        yield f"{own.metric} by {own.judge}:"
        yield f"  {'self':<13} {own.finding:<12} {own.sentence}"
        yield ""
    if not found.positions:
        yield "position: not measured, the run compares nothing in pairs"
    if not found.preferences:
        yield "self-preference: not measured, it takes a second judge, of a family that wrote none of the outputs"

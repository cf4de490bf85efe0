"""`judgekit calibrate`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from judgekit.cli.main import close_pipe
from judgekit.reports.wording import harmless

MOST_SHOWN = 10


@click.command("calibrate")
@click.argument("labels", type=click.Path(path_type=Path))
@click.option("--run", metavar="RUN", help="The run that the labels are of; default: as their column run_id says.")
@click.option("--runs", "out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the run folders.")
@click.option("--per-variant", is_flag=True, help="Correct each variant by labels of its own outputs alone.")
def command(labels: Path, run: str | None, out: Path | None, per_variant: bool) -> int:
    """Measure the judge of a run against LABELS by people, and show its rates corrected beside the raw ones.

    LABELS is a CSV, JSONL or Parquet file, as the report's rating exports it. What is found is written into the run and
    into .judgekit/trust/, to be committed; the decision changes only with `judgekit report RUN --gate`.
    """
    from judgekit.pipeline.calibrate import calibrate
    from judgekit.reading.text import shown
    from judgekit.reports.trust_lines import corrected_lines

    found = calibrate(labels, run=run, out=out, per_variant=per_variant)
    for note in found.notes:
        click.echo(f"warning: {harmless(note)}", err=True)
    lines = [line for record in found.records for line in (*_record_lines(record, found.details[record.key]), "")]
    lines += corrected_lines(found.run.summary)
    lines += [f"wrote {shown(path)}" for path in found.written]
    try:
        for line in (*lines, shown(found.run.path / "report.html")):
            click.echo(harmless(line))
    except BrokenPipeError:
        close_pipe()
    return 0


def _record_lines(record: Any, details: Mapping[str, Any]) -> Iterator[str]:
    from judgekit.trust.measure import LEAST_LABELS

    figures = record.figures
    yield f"{record.title} by {record.judge}: {record.level}"
    yield f"  {record.sentence}"
    # Of so few labels the sentence has said all there is; trust.json holds the counts.
    enough = figures["n_outputs"] >= LEAST_LABELS
    if enough:
        yield from _figures(figures)
    for name, one in (record.by_variant or {}).items():
        n = one["figures"]["n_outputs"]
        yield f"  of {name} alone: {n} {'label' if n == 1 else 'labels'}, {one['level']}, {one['sentence']}"
    if details["n_without_verdict"]:
        yield f"  {_outputs(details['n_without_verdict'])} without a verdict of the judge: in no figure"
    failures = details["check_failures"]
    if failures:
        n, passed = failures["n"], failures["n_passed"]
        strict = f": a check is too strict ({', '.join(failures['case_ids'][:5])})" if passed else ""
        yield f"  {passed} of {n} check failures, which were not judged, would pass by people{strict}"
    elif details["n_skipped"]:
        n = details["n_skipped"]
        yield f"  {_outputs(n)} failed a check and {'was' if n == 1 else 'were'} not judged: in no figure"
    apart = details["disagreements"] if enough else ()
    if apart:
        n = details["n_disagreements"]
        yield f"  {n} {'disagreement' if n == 1 else 'disagreements, worst first'}:"
    for one in apart[:MOST_SHOWN]:
        against = f" against {one['against']}" if "against" in one else ""
        where = f"{one['case_id']} [{one['variant']}{against}]"
        yield f"    {where}: people {_said(one['people'], one['comment'])}; judge {_said(one['judge'], one['reason'])}"
    if len(apart) > MOST_SHOWN:
        yield f"    {details['n_disagreements'] - MOST_SHOWN} more; trust.json holds {len(apart)}"


def _figures(figures: Mapping[str, Any]) -> Iterator[str]:
    for name, one in figures["estimates"].items():
        yield f"  {name.replace('_', ' '):<26} {_estimate(one)}"
    if figures["confusion"]:
        yield from _confusion(**figures["confusion"])
    if figures["threshold"]:
        yield f"  {_threshold(figures['threshold'])}"
    for name, one in figures["ceiling"].items():
        yield f"  people among themselves, {name}: {_estimate(one)}"


def _outputs(n: int) -> str:
    return f"{n} labelled {'output' if n == 1 else 'outputs'}"


def _said(rating: str, why: str) -> str:
    line = " ".join(why.split())
    return f"{rating}: {line[:200]}" if line else rating


def _estimate(one: Mapping[str, Any]) -> str:
    if one["value"] is None:
        return f"- ({one['reason']})"
    ends = "" if one["low"] is None else f"  [{one['low']:.3f}, {one['high']:.3f}]"
    why = f"  {one['reason']}" if one.get("reason") else ""
    return f"{one['value']:.3f}{ends}  n = {one['n']}{why}"


def _confusion(names: list[str], people_by_judge: list[list[int]]) -> Iterator[str]:
    width = max(6, *(len(name) for name in names), *(len(str(n)) for row in people_by_judge for n in row))
    yield f"  {'people by judge':<26} " + "  ".join(name.rjust(width) for name in names)
    for name, row in zip(names, people_by_judge, strict=True):
        yield f"  {name:<26} " + "  ".join(str(n).rjust(width) for n in row)


def _threshold(one: Mapping[str, Any]) -> str:
    halves = f"(chosen on {one['n_chosen_on']} labels, reported on {one['n_reported_on']} others)"
    best, own = one["kappa"], one["current_kappa"]
    if own is None:
        return f"passing from {one['value']:g} on would agree best: kappa {_estimate(best)} {halves}"
    if one["value"] == one["current"]:
        return f"the rubric's own threshold {one['value']:g} agrees best: kappa {_estimate(best)} {halves}"
    figures = f"kappa {_estimate(best)}; the rubric's own {one['current']:g}: {_estimate(own)} {halves}"
    if None not in (best["value"], own["value"]) and own["value"] >= best["value"]:
        does = "better" if own["value"] > best["value"] else "as well"
        return (
            f"nothing speaks for another threshold than the rubric's own {one['current']:g}: passing from "
            f"{one['value']:g} on agreed best on one half of the labels, on the other half the own one does {does}: "
            f"{figures}"
        )
    return f"passing from {one['value']:g} on would agree best: {figures}"

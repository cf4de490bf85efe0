"""`judgekit prove`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from judgekit.reports.wording import harmless

if TYPE_CHECKING:
    from judgekit.pipeline.prove import Proof
    from judgekit.trust.mutants import KillRate

MOST_SHOWN = 20


@click.command("prove")
@click.argument("paths", nargs=-1)
@click.option("--judge", multiple=True, metavar="MODEL", help="Model that judges the mutants; default as for score.")
@click.option("--no-judge", is_flag=True, help="Ask no judge: prove checks and rubrics without a model only.")
@click.option("--rubric", "rubrics", multiple=True, metavar="NAME|FILE", help="Rubric for every case.")
@click.option("--outputs", type=click.Path(path_type=Path), help="Recorded outputs, such as a run's outputs.jsonl.")
@click.option("--judge-all", is_flag=True, help="Judge mutants that a required check has caught, too.")
@click.option("--seed", type=int, default=0, metavar="N", help="Chooses what is damaged.")
@click.option("--max-cost", type=float, metavar="USD", help="Stop before the call that could exceed this.")
@click.option("--api-base", metavar="URL", help="Address of the server that live judges are asked at.")
@click.option("--no-cache", is_flag=True, help="Neither use nor keep replies of other runs.")
@click.option("-k", "expression", metavar="EXPR", help='Only cases that fit, such as "refund and not angry".')
@click.option("--tag", "tags", multiple=True, metavar="TAG", help="Only cases with this tag; repeat for more.")
@click.option("--allow-code", is_flag=True, help="Let scenario files run Python checks.")
@click.option("--no-gate", is_flag=True, help="Report only: a missed kill_rate does not change the exit code.")
@click.option("-v", "verbose", is_flag=True, help="Show every survivor.")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
def command(outputs: Path | None, no_judge: bool, verbose: bool, as_json: bool, **given: Any) -> int:
    """See whether the suite can fail: damage its good outputs and count what it notices.

    PATHS are scenario files and folders; default is scenarios/. Damaged are recorded outputs, those written into the
    case or its faux script, and golden files, as far as they pass; nobody is asked for an output. The rule
    `gate: {kill_rate: ">= 0.9"}` of the settings decides the exit code.
    """
    from judgekit.errors import InputError
    from judgekit.pipeline.options import Options, as_address, as_paths, as_usd
    from judgekit.pipeline.prove import prove

    if no_judge and given["judge"]:
        raise InputError("--judge and --no-judge contradict each other: keep one of them.")
    proof = prove(
        Options(
            paths=as_paths(given.pop("paths")),
            outputs=((None, outputs),) if outputs else (),
            max_cost=as_usd("--max-cost", given.pop("max_cost")),
            api_base=as_address("--api-base", given.pop("api_base")),
            progress=not as_json,
            **given,
        ),
        judge=not no_judge,
    )
    if as_json:
        click.echo(json.dumps(proof.record, indent=1))
        return proof.decision.exit_code
    for note in proof.notes:
        click.echo(f"note: {harmless(note)}", err=True)
    for line in _lines(proof, None if verbose else MOST_SHOWN):
        click.echo(harmless(line))
    return proof.decision.exit_code


def _lines(proof: Proof, most: int | None) -> Iterator[str]:
    from judgekit.pipeline.prove import hint_of
    from judgekit.pipeline.spent import calls_made, usd_of

    rows = [["", "killed", "rate", "95 % interval"]]
    rows += [_row(one) for one in proof.rates if one.kind != "mutation"]
    rows += [["by kind of damage:", "", "", ""]]
    rows += [_row(one) for one in proof.rates if one.kind == "mutation"]
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    if proof.outcomes:
        for row in rows:
            yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        yield ""
    survivors = proof.survivors
    for one in survivors[:most]:
        yield f"survived  {one.mutant.case_id}, {one.mutant.mutation}: {one.mutant.change}"
        yield f"          {hint_of(one)}"
    if len(survivors) > len(survivors[:most]):
        yield f"… {len(survivors) - len(survivors[:most])} more survivors (-v shows all)"
    for one in proof.unresolved[:most]:
        yield f"no result  {one.mutant.case_id}, {one.mutant.mutation}: {one.why_open}"
    for case_id, why in list(proof.left_out.items())[:most]:
        yield f"left out  {case_id}: {why}"
    if len(proof.left_out) > (most or len(proof.left_out)):
        yield f"… {len(proof.left_out) - (most or 0)} more cases left out (-v shows all)"
    if proof.outcomes or proof.left_out:
        yield ""
    if proof.calls:
        cost = usd_of(proof.calls)
        yield f"judge: {calls_made(proof.calls)} calls made, {'cost unknown' if cost is None else f'${cost:.4f}'}"
    whole = proof.rates[0]
    if whole.n:
        yield (
            f"the suite noticed {whole.killed} of {whole.n} mutants of {whole.n_cases} "
            f"{'case' if whole.n_cases == 1 else 'cases'}"
        )
    if proof.decision.rules or not proof.decision.passed:
        failing = any(rule["outcome"] == "fails" for rule in proof.decision.rules)
        word = "passed" if proof.decision.passed else "failed" if failing else "undecided"
        yield f"gate {word}: {proof.decision.reasons[0]}"
    else:
        yield proof.decision.reasons[0]


def _row(one: KillRate) -> list[str]:
    name = "required, all together" if one.kind == "suite" else f"  {one.name}"
    kind = "" if one.kind in ("suite", "mutation") else f" ({one.kind})"
    estimate = one.estimate
    rate = "–" if estimate.value is None else f"{100 * estimate.value:.0f} %"
    ends = "" if estimate.low is None else f"{100 * estimate.low:.0f} to {100 * (estimate.high or 0):.0f} %"
    more = f", {one.n_open} open" if one.n_open else ""
    return [f"{name}{kind}", f"{one.killed} of {one.n}{more}", rate, ends]

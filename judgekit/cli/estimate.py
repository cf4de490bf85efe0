"""`judgekit estimate`."""

from __future__ import annotations

from typing import Any

import click

from judgekit.cli.options import run_options, to_options


@click.command("estimate")
@run_options
def command(**given: Any) -> int:
    """Predict the calls, tokens and cost of `judgekit score` with the same options; nothing is asked or spent.

    Replies in the cache, those of the run to resume, and judgments that a failed check saves are taken into account.
    """
    from judgekit.pipeline.estimate import JUDGE_TOKENS, TARGET_TOKENS, estimate
    from judgekit.pipeline.only import narrowed
    from judgekit.pipeline.plan import make_plan

    options = to_options(given, progress=False)
    # Only a run to resume has a folder that is there already; nothing is written into it.
    plan = narrowed(make_plan(options, record=options.resume is not None))
    with plan.doors:
        rows, skipped = estimate(plan)
    for one in rows:
        cost = "no price known" if one.cost_usd is None else f"about ${one.cost_usd:.4f}"
        click.echo(
            f"{one.role} {one.model}: {one.calls} calls, {one.cached} known already, about {one.input_tokens} input "
            f"and {one.output_tokens} output tokens, {cost}"
        )
    if not rows:
        click.echo("no call of a live model")
    if skipped:
        click.echo(f"{skipped} judgments saved by failed checks")
    known = [one.cost_usd for one in rows if one.cost_usd is not None]
    if rows:
        more = "" if len(known) == len(rows) else " and what has no known price"
        click.echo(
            f"in all about ${sum(known):.4f}{more}, at four characters a token and replies of {TARGET_TOKENS} "
            f"(targets) and {JUDGE_TOKENS} (judge) tokens"
        )
    return 0

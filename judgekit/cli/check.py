"""`judgekit check`."""

from __future__ import annotations

import click


@click.command("check")
@click.argument("paths", nargs=-1)
@click.option("--allow-code", is_flag=True, help="Accept Python checks, functions and commands.")
def command(paths: tuple[str, ...], allow_code: bool) -> int:
    """Check scenario files, settings, rubrics and recordings; nothing is run and nothing is spent.

    PATHS are scenario files and folders; default is scenarios/. Mistakes end with exit code 2.
    """
    from judgekit.pipeline.lint import lint
    from judgekit.pipeline.options import Options, as_paths
    from judgekit.pipeline.plan import make_plan
    from judgekit.release.lint import lint_registry

    plan = make_plan(Options(paths=as_paths(paths), allow_code=allow_code))
    for warning in [*lint(plan), *lint_registry(plan.project)]:
        click.echo(f"warning: {warning}", err=True)
    cases, suites = len(plan.cases), len(plan.suites)
    click.echo(
        f"{cases} {'case' if cases == 1 else 'cases'} in {suites} {'suite' if suites == 1 else 'suites'}: no mistakes"
    )
    return 0

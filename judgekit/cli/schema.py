"""`judgekit schema`."""

from __future__ import annotations

import json

import click


@click.command("schema")
@click.argument("kind", type=click.Choice(["scenario", "settings", "rubric"]), default="scenario")
def command(kind: str) -> int:
    """Print the JSON Schema of scenario files, of settings or of rubric files, for editors.

    Save it, and name it in the first line of a file: # yaml-language-server: $schema=PATH
    """
    from judgekit.pipeline.schema import schema

    click.echo(json.dumps(schema(kind), ensure_ascii=False, indent=1))
    return 0

"""`judgekit cache`."""

from __future__ import annotations

from datetime import timedelta

import click

from judgekit.models.cache import CACHE_FILE, ReplyCache


@click.group("cache")
def command() -> None:
    """Show or clear the replies of models that are kept for later runs (.judgekit/cache.sqlite)."""


@command.command("info")
def info() -> int:
    """Show what is kept: how many replies, of which models, since when."""
    from judgekit.reading.text import shown
    from judgekit.reports.wording import printable

    with _cache() as cache:
        found = cache.info()
        click.echo(f"cache    {shown(cache.path)}")
    click.echo(f"replies  {found.entries:,}")
    click.echo(f"size     {found.size_bytes / 1e6:.1f} MB")
    if found.oldest and found.newest:
        click.echo(f"kept     {found.oldest:%Y-%m-%d %H:%M} to {found.newest:%Y-%m-%d %H:%M} UTC")
    for model, count in found.models.items():
        click.echo(f"model    {printable(model)}: {count:,}")
    return 0


@command.command("clear")
@click.option("--model", metavar="MODEL", help="Only replies of this model, named as in --judge or --model.")
@click.option("--older-than", "days", type=click.IntRange(0, 36_500), metavar="DAYS", help="Only older replies.")
def clear(model: str | None, days: int | None) -> int:
    """Forget kept replies: all of them, or those that fit every option given."""
    with _cache() as cache:
        count = cache.clear(model=model, older_than=None if days is None else timedelta(days=days))
        known = cache.info().models
    click.echo(f"{count:,} {'reply' if count == 1 else 'replies'} removed, {sum(known.values()):,} kept")
    if model is not None and not count and known and model not in known:
        from judgekit.errors import did_you_mean

        click.echo(f"nothing is kept of {model}.{did_you_mean(model, list(known))}", err=True)
    return 0


def _cache() -> ReplyCache:
    from judgekit.config import load_project

    return ReplyCache(load_project().root / CACHE_FILE)

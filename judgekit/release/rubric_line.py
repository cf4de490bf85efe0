"""An agent and one of its rubrics in; the line by which the lock notices that the rubric scores otherwise, out."""

from __future__ import annotations

import inspect
import json
from pathlib import Path

from judgekit import plugins
from judgekit.errors import InputError
from judgekit.release.digests import digest
from judgekit.release.registry import Agent


def rubric_line(agent: Agent, name: str) -> str:
    """Version and options of a rubric, and a digest of the file of a class that is not judgekit's own.

    Raises:
        InputError: the class carries no version.
    """
    used = [fixture.rubrics[name] for fixture in agent.scored_by(name)]
    kind = plugins.lookup("rubrics", name)
    version = getattr(kind, "version", None)
    if not isinstance(version, str) or not version.strip():
        raise InputError(
            f'rubric "{name}" of the agent "{agent.name}" carries no version, so a change of it would go unnoticed: '
            'give its class `version: ClassVar[str] = "1"`, and raise it with each change.'
        )
    # Defaults belong to the version: a new option that changes nothing is no change.
    options = {json.dumps(one.model_dump(mode="json", exclude_defaults=True), sort_keys=True) for one in used} - {"{}"}
    source = _source(kind)
    return (
        f"version {version}"
        + (f" source {digest(source)}" if source is not None else "")
        + (f" options {digest(sorted(options))}" if options else "")
    )


def _source(kind: type) -> str | None:
    """Text of the file of a rubric's class; None for judgekit's own, whose tests hold each version to its scores."""
    if kind.__module__.partition(".")[0] == "judgekit":
        return None
    try:
        return Path(inspect.getfile(kind)).read_text(encoding="utf-8", errors="replace")
    except (OSError, TypeError):
        # Made in a console, or taken from an archive: there is no file to watch.
        return None

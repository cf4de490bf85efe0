"""A project in; what `judgekit check` has to say of its release gate out."""

from __future__ import annotations

from collections.abc import Iterator

from judgekit.config import Project
from judgekit.release.lock import lock_violations
from judgekit.release.registry import Agent, load_agents
from judgekit.release.scoring import written


def lint_registry(project: Project) -> list[str]:
    """Warnings about agents and fixtures, each with its place; none without a registry.

    Raises:
        InputError: mistakes in the registry, in fixtures, formats or the lock.
    """
    if not project.settings.agents:
        return []
    agents = load_agents(project)
    found = [one for agent in agents for one in _other_thresholds(agent)]
    return found + [str(one) for one in lock_violations(project, agents) if one.weight != "note"]


def _other_thresholds(agent: Agent) -> Iterator[str]:
    for fixture in agent.fixtures:
        case = fixture.case
        for use in case.rubrics:
            threshold = agent.thresholds.get(use.name)
            if threshold is not None and use.pass_at not in (None, threshold):
                both = f"at {written(use.pass_at or threshold)} in `score`, at {written(threshold)} in the release gate"
                said = f"{use.name} passes {both}"
                yield f'{case.file}:{case.line}: case "{case.case_id}" of {agent.name}: {said}'

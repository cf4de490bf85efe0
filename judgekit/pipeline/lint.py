"""A plan in, warnings out: what is allowed and yet probably not meant; and mistakes that only outputs' sources tell."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from judgekit.checks.tools import ToolCalls
from judgekit.errors import Complaint, did_you_mean
from judgekit.models.families import family_of
from judgekit.records import Case, CheckUse, Rubric, Suite
from judgekit.scenarios.faux import parse_steps
from judgekit.targets.prompted import PromptTarget

if TYPE_CHECKING:
    from judgekit.pipeline.plan import Plan
    from judgekit.pipeline.sources import Job

_MOST_NAMES = 10


def lint(plan: Plan) -> list[str]:
    """What a person would want to know before spending money on this plan, with file and line."""
    found: list[str] = []
    retrieved = {job.case.case_id for job in plan.jobs if job.output is not None and job.output.context}
    for case in plan.cases:
        where = f"{case.file}:{case.line}: " if case.line else f"{case.file}: "
        found += [f"{where}{message}" for message in _case(plan, case, retrieved)]
    found += [
        f'{job.case.file}:{job.case.line}: case "{job.case.case_id}" ({job.variant}): no output: {job.output.message}'
        for job in plan.jobs
        if job.output is not None and job.output.cause == "no_output"
    ]
    return [*found, *_self_preference(plan)]


def _self_preference(plan: Plan) -> Iterator[str]:
    """Judges that would judge a model of their own family; such judges are known to favour their own kind.

    Source:
        A. Panickssery, S. Bowman, S. Feng (2024), LLM evaluators recognize and favor their own generations,
        arXiv:2404.13076.
    """
    said: dict[tuple[str, str, str], None] = {}
    for job in plan.jobs:
        if not any(one.judged for one in plan.rubrics[job.case.case_id]):
            continue
        asked = job.target.asks["model"] if isinstance(job.target, PromptTarget) else None
        target = asked or (job.output.model if job.output is not None else None)
        family = family_of(target) if target else None
        for judge in plan.judges.get(job.case.suite, ()):
            if target and family and family_of(judge) == family:
                said[judge, target, family] = None
    for judge, target, family in said:
        yield (
            f"{judge} judges {target}: both are of the family {family}, and a judge tends to favour its own kind; "
            "take a judge of another one, or measure it (`judgekit calibrate`, a panel)"
        )


def _case(plan: Plan, case: Case, retrieved: set[str]) -> Iterator[str]:
    rubrics = plan.rubrics[case.case_id]
    for one in rubrics:
        if not isinstance(one.rubric, Rubric):
            continue
        if "reference" in one.rubric.needs and not (case.reference or "").strip():
            yield f'case "{case.case_id}": rubric "{one.name}" needs a `reference`; the row will be an error'
        if "context" in one.rubric.needs and not case.context and case.case_id not in retrieved:
            yield f'case "{case.case_id}": rubric "{one.name}" needs a `context`, unless the target retrieves one'
    required = any(use.required for use in case.checks) or any(one.required for one in rubrics)
    if not case.should_pass and not required:
        yield f'case "{case.case_id}" should fail, but nothing is required of it: it can never be negative_ok'
    elif not required and not case.no_expectation:
        yield f'case "{case.case_id}" has nothing required: it passes whatever the output is'
    if case.defect and case.should_pass:
        yield f'case "{case.case_id}" names a `defect` without `should_pass: false`'


def tool_complaints(suite: Suite, jobs: Iterable[Job]) -> list[Complaint]:
    """Tools that the checks of a suite's cases name and that no call can reach, as nothing offers or scripts them.

    Only where that is certain: a model is asked, and it is known what it can call. What recordings, programs, functions
    and endpoints call is not known before, nor what a script without any offered tools stands for.
    """
    by_case: dict[str, list[Job]] = {}
    for job in jobs:
        if job.target is None:
            continue
        by_case.setdefault(job.case.case_id, []).append(job)
    found: dict[tuple[str, int | None, str], list[Case]] = {}
    for mine in by_case.values():
        case = mine[0].case
        named = list(_named_tools(case.checks))
        reach = _reach(case, mine) if named else None
        for use, name in named if reach else ():
            if reach and (said := reach.lacks(name)):
                # A row of a table knows its own line only; another one is that of its suite's defaults.
                file = suite.file if use.line is not None and use.line != case.line else case.file
                found.setdefault((file, use.line or case.line, said), []).append(case)
    return [
        Complaint(file, line, f'case "{cases[0].case_id}"{f" and {len(cases) - 1} more" if cases[1:] else ""}: {said}')
        for (file, line, said), cases in found.items()
    ]


def _named_tools(uses: Iterable[CheckUse]) -> Iterator[tuple[CheckUse, str]]:
    """Tools that have to be called, each with the check that says so; forbidding what is not there is no mistake."""
    for use in uses:
        if use.negated:
            continue
        check = use.check
        if isinstance(check, ToolCalls):
            # `within` lists what may be called, not what has to be.
            names = [one.name for one in (check.expect or ()) if check.match != "within"]
            names += [name for pair in check.before for name in pair]
            yield from ((use, name) for name in dict.fromkeys(names))
        for member in getattr(check, "members", ()):
            yield from _named_tools(member)


@dataclass(frozen=True)
class _Reach:
    """What the calls of one case can reach."""

    names: frozenset[str]
    """Offered, or called by the script."""
    withheld: frozenset[str]
    """Declared, and not allowed."""

    def lacks(self, name: str) -> str:
        """What is wrong with expecting a call of `name`, which may be a pattern; empty if a call can be one."""
        if any(one == name or fnmatchcase(one, name) for one in self.names):
            return ""
        said = f'tool_calls names the tool "{name}", which is neither offered to the model nor in its script.'
        if name in self.withheld:
            return f"{said} `tools.allowed` in agent-config.yaml leaves it out."
        known = sorted(self.names)
        if not known:
            return f"{said} No tool is offered: give the case `tools`, or its agent a tools.json."
        more = f" and {len(known) - _MOST_NAMES} more" if len(known) > _MOST_NAMES else ""
        return f"{said}{did_you_mean(name, known)} There are {', '.join(known[:_MOST_NAMES])}{more}."


def _reach(case: Case, jobs: Iterable[Job]) -> _Reach | None:
    """What the calls of a case can reach; None where that is not known before."""
    names: set[str] = set()
    withheld: set[str] = set()
    for target in (job.target for job in jobs):
        if not isinstance(target, PromptTarget) or not (target.scripted or target.live):
            return None
        tools = target.tools(case)
        if target.scripted:
            if not tools.names:
                return None
            names |= _scripted(case)
        names |= set(tools.names)
        withheld |= set(tools.withheld)
    return _Reach(frozenset(names), frozenset(withheld))


def _scripted(case: Case) -> set[str]:
    steps = parse_steps(case.faux_target or ())
    return {call.name for step in steps if step.reply for call in step.reply.tool_calls}

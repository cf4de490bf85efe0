"""What cases, settings and flags ask for in; the rubrics of each case, found and with their thresholds settled, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from judgekit import plugins
from judgekit.config import Project
from judgekit.errors import Complaint, InputError, did_you_mean, raise_complaints
from judgekit.judges.pairwise import ORDERS, Pair, as_pairwise, pair_prompt
from judgekit.judges.prompting import judge_prompt, missing_evidence
from judgekit.pipeline.options import Options
from judgekit.records import Case, Output, Rubric, RubricUse, Suite
from judgekit.rubrics.base import DeterministicRubric
from judgekit.rubrics.files import builtin_rubrics, project_rubrics, resolve
from judgekit.scenarios.build import rubric_use


@dataclass(frozen=True, slots=True)
class PlannedRubric:
    """One rubric of one case, found and with its threshold settled."""

    rubric: Rubric | DeterministicRubric
    use: RubricUse
    name: str
    threshold: Fraction | None
    required: bool

    @property
    def judged(self) -> bool:
        """True if a model scores by it."""
        return isinstance(self.rubric, Rubric)


class RubricPlanner:
    """Finds the rubrics of each case: its own, its suite's (merged already), the settings', the flag's."""

    def __init__(self, project: Project, options: Options) -> None:
        self._project = project
        self._options = options
        line = project.line("rubrics")
        self._settings = [rubric_use(one, project.file, line) for one in project.settings.rubrics]
        self._flags = [RubricUse(name, file="") for name in options.rubrics]
        self._found: dict[tuple[Any, ...], Rubric | DeterministicRubric | None] = {}
        self._complaints: list[Complaint] = []

    def by_case(self, suites: Iterable[Suite]) -> dict[str, tuple[PlannedRubric, ...]]:
        """The planned rubrics of every case.

        Raises:
            InputError: unknown rubrics, broken rubric files, thresholds off the scale, scripts of rubrics that there
                are not; all of them.
        """
        suites = list(suites)
        result = {}
        for suite in suites:
            for case in suite.cases:
                uses: dict[str, RubricUse] = {}
                for use in (*case.rubrics, *self._settings, *self._flags):
                    uses.setdefault(use.name, use)
                planned = () if case.no_expectation else tuple(self._planned(use, case) for use in uses.values())
                # By the rubric's own name: a flag may give the file of a rubric that the case names, and the case wins.
                named: dict[str, PlannedRubric] = {}
                for one in planned:
                    if one is not None:
                        named.setdefault(one.name, one)
                result[case.case_id] = tuple(named.values())
        if None not in self._found.values():
            # What a script is for can't be said while a rubric is missing or broken.
            self._complaints += self._misspelt([case for suite in suites for case in suite.cases], result)
        raise_complaints(self._complaints)
        return result

    def pairwise(self) -> tuple[PlannedRubric, ...]:
        """The rubrics of --pairwise.

        Raises:
            InputError: as of `by_case`; or one that can't compare outputs.
        """
        found = []
        for name in self._options.pairwise:
            use = RubricUse(name)
            rubric = self._find(use)
            if isinstance(rubric, Rubric) and rubric.template and not rubric.pairwise:
                said = f'--pairwise: the template of "{rubric.name}" shows one output; a rubric with `pairwise: true`'
                self._complaints.append(Complaint("", None, f"{said} has one for two."))
            elif isinstance(rubric, Rubric):
                gated = rubric.name in self._project.settings.gate.metrics
                threshold = rubric.pass_at if rubric.pairwise else None
                asked = as_pairwise(rubric)
                found.append(PlannedRubric(asked, use, rubric.name, threshold, rubric.required or gated))
            elif rubric is not None:
                said = f'--pairwise: "{name}" is computed; `--rubric {name}` compares the variants by their scores.'
                self._complaints.append(Complaint("", None, said))
        raise_complaints(self._complaints)
        return tuple({one.name: one for one in found}.values())

    def _misspelt(self, cases: Sequence[Case], planned: Mapping[str, Sequence[PlannedRubric]]) -> Iterable[Complaint]:
        """Scripts that no run can play; one for a rubric that only this run leaves out is none of them."""
        if not any(case.faux_judge for case in cases):
            return
        library = {*plugins.names("rubrics"), *builtin_rubrics(), *project_rubrics(self._project.root)}
        known = library | {one.name for many in planned.values() for one in many}
        known |= {rubric.name for one in self._options.pairwise if (rubric := self._find(RubricUse(one))) is not None}
        for case in cases:
            own = [one.name for one in planned[case.case_id]]
            for name in case.faux_judge:
                if name not in known:
                    hint = did_you_mean(name, own) or did_you_mean(name, sorted(known))
                    listed = f" Its rubrics are {', '.join(own)}." if own else ""
                    said = f'case "{case.case_id}": faux: judge: no rubric is named "{name}".{hint}{listed}'
                    yield Complaint(case.file, case.line, said)

    def _planned(self, use: RubricUse, case: Case) -> PlannedRubric | None:
        rubric = self._find(use)
        if rubric is None:
            return None
        if isinstance(rubric, Rubric):
            if rubric.pairwise:
                said = f'rubric "{rubric.name}" compares two outputs: give it to --pairwise.'
                self._complaints.append(Complaint(use.file, use.line, said))
            threshold = use.pass_at if use.pass_at is not None else rubric.pass_at
            gated = rubric.name in self._project.settings.gate.metrics
            required = use.required if use.required is not None else rubric.required or gated
            return PlannedRubric(rubric, use, rubric.name, threshold, required)
        for message in rubric.check_case(case):
            self._complaints.append(Complaint(case.file, case.line, f'case "{case.case_id}": {use.name}: {message}'))
        agent = self._project.settings.agents.get(case.agent)
        if agent is not None and use.pass_at is None:
            use = replace(use, pass_at=agent.thresholds.get(use.name))
        required = use.pass_at is not None and use.required is not False
        return PlannedRubric(rubric, use, rubric.name, use.pass_at, required)

    def _find(self, use: RubricUse) -> Rubric | DeterministicRubric | None:
        is_path = "/" in use.name or "." in use.name
        key = (use.name, repr(sorted(use.options.items())), use.file if is_path else "", use.pass_at)
        if key not in self._found:
            try:
                self._found[key] = resolve(use, root=self._project.root)
            except InputError as problem:
                self._complaints.append(Complaint("", None, str(problem)))
                self._found[key] = None
        return self._found[key]


def raise_unrendered(suites: Iterable[Suite], rubrics: Mapping[str, Sequence[PlannedRubric]]) -> None:
    """Render each case's own judge templates once, before anything is spent; built-in ones are known to render.

    Raises:
        InputError: a template asks for a variable that a case does not have.
    """
    complaints = []
    for case in (case for suite in suites for case in suite.cases):
        for one in rubrics[case.case_id]:
            rubric = one.rubric
            if not isinstance(rubric, Rubric) or not rubric.template:
                continue
            output, own = Output("…"), "…" if rubric.answer_first else None
            if missing_evidence(rubric, case, output):
                continue
            try:
                if rubric.pairwise:
                    pair_prompt(rubric, case, Pair(output, output, ""), ORDERS[0], own_answer=own)
                else:
                    judge_prompt(rubric, case, output, own_answer=own)
            except InputError as problem:
                complaints.append(Complaint(case.file, case.line, f'case "{case.case_id}": {problem}'))
    raise_complaints(complaints)


def metric_names(case: Case, rubrics: Iterable[PlannedRubric]) -> list[str]:
    """Names of the rows that a case can have."""
    return [*(use.metric for use in case.checks), *(name for one in rubrics for name in names_of_rubric(one))]


def names_of_rubric(one: PlannedRubric) -> list[str]:
    """Names of the rows of one rubric: its own, then its items'."""
    rubric = one.rubric
    items = (*rubric.checklist, *rubric.criteria) if isinstance(rubric, Rubric) else ()
    return [one.name, *(f"{one.name}.{item}" for item in items)]

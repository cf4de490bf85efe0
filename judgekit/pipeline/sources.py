"""Where each output comes from: a recording, the case's own output, a target; per case, in this order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from judgekit.config import Project
from judgekit.errors import Complaint, InputError, did_you_mean, raise_complaints
from judgekit.models.base import Model
from judgekit.models.parameters import check_params
from judgekit.pipeline.lint import tool_complaints
from judgekit.pipeline.options import Options
from judgekit.records import NO_FIELDS, Case, Output, Suite, Trials, Variant
from judgekit.scenarios.build import variant as variant_record
from judgekit.targets.base import Target, failed
from judgekit.targets.command import CommandTarget
from judgekit.targets.function import FunctionTarget, import_function
from judgekit.targets.http import HttpTarget
from judgekit.targets.prompted import PromptTarget, opening
from judgekit.targets.recorded import Recording
from judgekit.targets.tools import Functions

DEFAULT = "default"
"""Name of the only variant, where none is named."""


RowsByCase = Mapping[str, Mapping[tuple[str, int], Recording]]
"""Recordings by case id, then by variant and trial."""


@dataclass(frozen=True, slots=True)
class Job:
    """One output to be had: it is there already, or a target gives it."""

    case: Case
    variant: str
    trial: int
    output: Output | None = None
    target: Target | None = None


@dataclass
class Sources:
    """What the jobs of all suites are made from."""

    project: Project
    options: Options
    recorded: RowsByCase
    """Recordings of --outputs."""
    models: Mapping[str, Model]
    faux: Model
    functions: Functions = field(default_factory=lambda: NO_FIELDS)
    """Python functions that answer tool calls, by name."""
    targets: dict[tuple[str, str], Target] = field(default_factory=dict)
    _noted: list[Complaint] = field(default_factory=list)
    _unrendered: dict[str, list[Case]] = field(default_factory=dict)

    def jobs(self, suite: Suite, recorded: RowsByCase) -> list[Job]:
        """The jobs of one suite, case by case.

        Args:
            suite: Its cases are the selected ones.
            recorded: Recordings of the suite's own outputs file, by case id.
        """
        chosen = {case.case_id: self.recorded.get(case.case_id) or recorded.get(case.case_id) for case in suite.cases}
        names = list(dict.fromkeys(variant for rows in chosen.values() for variant, _ in rows or ()))
        repeated = any(trial for rows in chosen.values() for _, trial in rows or ())
        jobs: list[Job] = []
        for case in suite.cases:
            rows = chosen[case.case_id]
            if rows:
                # What the settings say of trials is meant for live runs, unless the file has trials itself.
                asked = repeated or case.trials is not None or self.options.trials is not None
                n = trials_of(case, self.project, self.options).n if asked else 1
                jobs += _from_rows(case, rows, names, n)
            elif case.output is not None:
                jobs.append(Job(case, DEFAULT, 0, output=Output(case.output, case.case_id, DEFAULT)))
            else:
                jobs += self._from_targets(suite, case, names)
        self._noted += tool_complaints(suite, jobs)
        return jobs

    def _from_targets(self, suite: Suite, case: Case, names: Sequence[str]) -> list[Job]:
        targets = self._targets(suite, case)
        if not targets:
            why = "no row of an outputs file, no `output`, no model and no `faux` script"
            return [Job(case, name, 0, output=failed(case, name, 0, why, "no_output")) for name in names or (DEFAULT,)]
        n = trials_of(case, self.project, self.options).n
        return [Job(case, target.variant.name, trial, target=target) for target in targets for trial in range(n)]

    def _targets(self, suite: Suite, case: Case) -> list[Target]:
        if self.options.target is not None:
            variant = Variant(DEFAULT)
            return [self._known(("", DEFAULT), lambda: FunctionTarget(variant, self.options.target))]
        variants = self.variants(suite)
        model = self.options.model or suite.model or self.project.settings.model
        if not variants and model is None:
            if case.faux_target is None:
                return []
            return [self._prompted(suite, Variant(DEFAULT), "faux", case)]
        found = [self._target(suite, variant, model, case) for variant in variants or (Variant(DEFAULT),)]
        return [target for target in found if target is not None]

    def variants(self, suite: Suite) -> tuple[Variant, ...]:
        """The variants declared for a suite: by flag, else by its file, else by the settings."""
        if self.options.variants:
            return tuple(Variant(name, prompt, folder=Path()) for name, prompt in self.options.variants.items())
        if suite.variants:
            return suite.variants
        project = self.project
        line = project.line("variants")
        return tuple(
            variant_record(name, form, folder=project.root, file=project.file, line=line)
            for name, form in project.settings.variants.items()
        )

    def _target(self, suite: Suite, variant: Variant, model: str | None, case: Case) -> Target | None:
        """The target of one variant; None after noting why there is none."""
        key = (suite.name, variant.name)
        if variant.http:
            return self._asked_over_http(key, variant, case)
        if variant.command or variant.function:
            if not self._may_run_code(variant):
                return None
            try:
                if variant.command:
                    return self._known(key, lambda: CommandTarget(variant))
                return self._known(key, lambda: self._function(variant))
            except InputError as problem:
                self._complain(variant, str(problem))
                return None
        named = self.options.model or variant.model or model or ("faux" if case.faux_target is not None else None)
        if named is None:
            said = f'variant "{variant.name}" has no model: give it `model`, or --model, or its cases a `faux` script.'
            self._complain(variant, said)
            return None
        return self._prompted(suite, variant, named, case)

    def _asked_over_http(self, key: tuple[str, str], variant: Variant, case: Case) -> Target | None:
        try:
            target = self._known(key, lambda: HttpTarget(variant))
        except InputError as problem:
            for said in str(problem).split("\n"):
                self._complain(variant, said)
            return None
        assert isinstance(target, HttpTarget)
        try:
            target.check(case)
        except InputError as problem:
            self._unrendered.setdefault(str(problem), []).append(case)
        return target

    def _complain(self, variant: Variant, message: str) -> None:
        self._noted.append(Complaint(variant.file, variant.line, message))

    @property
    def complaints(self) -> list[Complaint]:
        """What is wrong with variants and their prompts; what many cases lack is told once."""
        return self._noted + [
            Complaint(
                cases[0].file,
                cases[0].line,
                f'case "{cases[0].case_id}"{f" and {len(cases) - 1} more" if len(cases) > 1 else ""}: {said}',
            )
            for said, cases in self._unrendered.items()
        ]

    def _prompted(self, suite: Suite, variant: Variant, model: str, case: Case) -> Target:
        self._check_prompt(variant, case)
        settings = self.project.settings
        params = {
            "temperature": 0,
            "seed": self.options.seed,
            **settings.params,
            **suite.params,
            **variant.params,
        }
        chosen = self.faux if model == "faux" else self.models[model]
        if chosen.live:
            try:
                check_params(params, f'variant "{variant.name}": params')
            except InputError as problem:
                self._complain(variant, str(problem))
        return self._known(
            (suite.name, f"{variant.name}\0{model}"),
            lambda: PromptTarget(variant, chosen, params, functions=self.functions),
        )

    def _check_prompt(self, variant: Variant, case: Case) -> None:
        """Render once before anything is spent: a missing file or variable is a mistake of the user's files."""
        prompts = case.agent_config.prompts if case.agent_config else {}
        sets = variant.prompt or variant.model or variant.params or variant.name in prompts
        if prompts and not sets and variant.name != DEFAULT:
            hint = did_you_mean(variant.name, list(prompts))
            said = f'variant "{variant.name}" sets nothing, and prompts.json has no prompt of that name.{hint}'
            self._complain(variant, f"{said} It has {', '.join(prompts)}.")
        try:
            opening(case, variant)
        except InputError as problem:
            if variant.prompt and not prompts and not (variant.folder / variant.prompt).is_file():
                # No case can mend it.
                self._complain(variant, f'variant "{variant.name}": {problem}')
                return
            self._unrendered.setdefault(str(problem), []).append(case)

    def _function(self, variant: Variant) -> Target:
        return FunctionTarget(variant, import_function(variant.function, (variant.folder, self.project.root)))

    def _may_run_code(self, variant: Variant) -> bool:
        allowed = self.options.allow_code or self.project.settings.allow_code
        if not allowed:
            kind = "command" if variant.command else "function"
            said = f'variant "{variant.name}" runs a {kind}: allow it with `allow_code: true` in the settings'
            self._complain(variant, f"{said} or with --allow-code.")
        return allowed

    def _known(self, key: tuple[str, str], make: Any) -> Target:
        if key not in self.targets:
            self.targets[key] = make()
        return self.targets[key]


def trials_of(case: Case, project: Project, options: Options) -> Trials:
    """The trials of a case: the flag's, else its own, else the settings'."""
    from judgekit.scenarios.build import trials

    if options.trials is not None:
        own = case.trials or trials(project.settings.trials)
        require = own.require if own and own.require is not None and own.require <= options.trials else None
        return Trials(options.trials, require)
    return case.trials or trials(project.settings.trials) or Trials()


def _from_rows(case: Case, rows: Mapping[tuple[str, int], Recording], names: Iterable[str], n_trials: int) -> list[Job]:
    """The recorded outputs; trials that the case asks for and the file has no row of are without an output."""
    jobs = []
    for name in names:
        mine = {trial: one for (variant, trial), one in rows.items() if variant == name}
        absent = [trial for trial in range(n_trials) if trial not in mine][: max(0, n_trials - len(mine))]
        why = f'the outputs file has no row of variant "{name}" for this case'
        if mine:
            why = f"the outputs file has {len(mine)} of the {n_trials} trials of this case"
        found = [Job(_with_row(case, one), name, trial, output=one.output) for trial, one in mine.items()]
        found += [Job(case, name, trial, output=failed(case, name, trial, why, "no_output")) for trial in absent]
        jobs += sorted(found, key=lambda job: job.trial)
    return jobs


def _with_row(case: Case, row: Recording) -> Case:
    """The case with what only the row knows: a reference, further variables."""
    reference = row.reference if case.reference is None else case.reference
    extra = {key: value for key, value in row.vars.items() if key not in case.vars}
    if reference is case.reference and not extra:
        return case
    return replace(case, reference=reference, vars={**case.vars, **extra} if extra else case.vars)


def by_case(recordings: Iterable[Recording]) -> dict[str, dict[tuple[str, int], Recording]]:
    """Recordings by case id, then by variant and trial, in their order."""
    found: dict[str, dict[tuple[str, int], Recording]] = {}
    for one in recordings:
        found.setdefault(one.output.case_id, {})[one.output.variant, one.output.trial] = one
    return found


def raise_strangers(recordings: Iterable[Recording], known: Iterable[str]) -> None:
    """Raise for rows that name no known case.

    Raises:
        InputError: every such row, with file and line.
    """
    ids = set(known)
    sorted_ids = sorted(ids)
    complaints: list[Complaint] = []
    for one in recordings:
        if one.output.case_id not in ids:
            hint = did_you_mean(one.output.case_id, sorted_ids) if len(complaints) < 20 else ""
            complaints.append(Complaint(one.file, one.line, f'no scenario has the case "{one.output.case_id}".{hint}'))
    raise_complaints(complaints)

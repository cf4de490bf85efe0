"""A plan in, its manifest out: what is run, with which definitions, and hashes that change with them."""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

from judgekit.checks.golden import Golden
from judgekit.judges.prompting import digest, template_of
from judgekit.pipeline.hashes import asked, case_hash, short
from judgekit.pipeline.plan import Plan
from judgekit.pipeline.redact import Masker
from judgekit.pipeline.rubrics import PlannedRubric
from judgekit.pipeline.sources import DEFAULT
from judgekit.records import Case, Output, Rubric
from judgekit.targets.http import HttpTarget
from judgekit.targets.prompted import PromptTarget, prompt_text
from judgekit.texts.scrubbing import scrub


def describe(plan: Plan, run_id: str, started: str, masker: Masker) -> dict[str, Any]:
    """What manifest.json holds when a run starts; its texts are masked, names and hashes stay."""
    variants: dict[str, list[str]] = {suite.name: [] for suite in plan.suites}
    definitions = case_definitions(plan)
    outputs: dict[str, list[Any]] = {}
    for job in plan.jobs:
        if job.output is not None:
            outputs.setdefault(job.case.case_id, []).append(_given(job.output))
        names = variants[job.case.suite]
        if job.variant not in names:
            names.append(job.variant)
    return {
        "run_id": run_id,
        "started_at": started,
        # Early in the file, because what `latest~1` means depends on it.
        "selection": _selection(plan),
        "finished_at": None,
        "command": masker.text(scrub(plan.options.command)),
        "versions": {"judgekit": version("llm-judgekit"), "python": platform.python_version()},
        "seed": plan.options.seed,
        "judge_samples": plan.options.judge_samples or plan.project.settings.judge_samples,
        "suites": [
            {
                "name": suite.name,
                "file": suite.file,
                "variants": variants[suite.name],
                "against": plan.references.get(suite.name),
                "judge": list(plan.judges.get(suite.name, ())),
                **({"pairs": [list(pair) for pair in plan.pairs[suite.name]]} if plan.pairs.get(suite.name) else {}),
            }
            for suite in plan.suites
        ],
        "cluster": plan.project.settings.cluster,
        "judges": [],
        "prompts": describe_prompts(plan, masker),
        "metrics": {name: masker.record(entry) for name, entry in describe_metrics(plan).items()},
        # Only their hashes: an address may hold a password, or come from the environment.
        "addresses": {name: short(plan.doors.address(name)) for name in plan.live_targets + plan.live_judges},
        "cases": {
            case.case_id: masker.record(_case_entry(plan, case, outputs.get(case.case_id)))
            | {"metrics": definitions[case.case_id]}
            for case in plan.cases
        },
        "gate": plan.project.settings.gate.model_dump(mode="json", exclude_defaults=True),
        "baseline": plan.options.baseline,
        "margin": plan.options.margin,
        "fail_under": None if plan.options.fail_under is None else float(plan.options.fail_under),
    }


def _selection(plan: Plan) -> dict[str, Any]:
    """By what the cases of the run were chosen; empty where all of the files were run."""
    options = plan.options
    given = {"only": options.only, "expression": options.expression, "tags": list(options.tags)}
    return {name: value for name, value in given.items() if value}


def _case_entry(plan: Plan, case: Case, outputs: list[Any] | None) -> dict[str, Any]:
    trials = plan.trials[case.case_id]
    return {
        "hash": case_hash(case),
        "asks": asked(case),
        **({"outputs": short(outputs)} if outputs else {}),
        "file": case.file,
        "line": case.line,
        **({"name": case.name} if case.name else {}),
        **({"description": case.description} if case.description else {}),
        **({} if case.should_pass else {"should_pass": False, "defect": case.defect}),
        **({"trials": {"n": trials.n, "require": trials.require}} if trials.n > 1 else {}),
    }


def _given(output: Output) -> list[Any]:
    """What changes the results of an output that is there before the run."""
    return [output.variant, output.trial, output.text, output.cause, output.context, output.tool_calls]


def names_of(plan: Plan) -> Iterator[str]:
    """Every name of the user's that the files of the run go by."""
    for suite in plan.suites:
        yield suite.name
        yield from (case.case_id for case in suite.cases)
    yield from {job.variant for job in plan.jobs} - {DEFAULT}


def texts_of(case: Case, output: Output) -> Iterator[str | None]:
    """The texts that results may quote from."""
    yield from (case.input, case.reference, output.text)
    yield from (one.text for one in (*(case.context or ()), *(output.context or ())))


def describe_metrics(plan: Plan) -> dict[str, dict[str, Any]]:
    """Definition of each metric of the run: kind, definition, threshold, hash.

    Cases may ask different things under one name: the entry shows the first, and its hash changes with any of them.
    """
    found: dict[str, dict[str, Any]] = {}
    asked: dict[str, set[str]] = {}
    # Cases of a suite share checks and rubrics: each object is written out once, not once a case.
    seen: set[tuple[Any, ...]] = set()
    for case in plan.cases:
        for use in case.checks:
            if (one := (use.metric, id(use.check), use.required)) not in seen:
                seen.add(one)
                written = _as_json(use.check)
                asked.setdefault(use.metric, set()).add(f"{use.required} {written}")
                if use.metric not in found:
                    entry = {"kind": "check", "required": use.required, "definition": json.loads(written)}
                    found[use.metric] = entry
        for planned in plan.rubrics[case.case_id]:
            if (other := (planned.name, id(planned.rubric), planned.threshold, planned.required)) not in seen:
                seen.add(other)
                entry = _rubric_entry(planned)
                asked.setdefault(planned.name, set()).add(short(entry))
                found.setdefault(planned.name, entry)
    for planned in plan.pairwise:
        entry = _rubric_entry(planned)
        asked.setdefault(planned.name, set()).add(short(entry))
        found.setdefault(planned.name, entry)
    for name, entry in found.items():
        entry["hash"] = short(sorted(asked[name]))
    return found


def case_definitions(plan: Plan) -> dict[str, dict[str, str]]:
    """By case, the hash of what each of its metrics asks: check and value, or rubric, template and threshold.

    Whether a metric is required is no part of it: that changes what a case comes to, not what a score means.
    """
    # Cases of a suite share checks and rubrics: each is hashed once.
    known: dict[tuple[Any, ...], str] = {}
    found: dict[str, dict[str, str]] = {}
    for case in plan.cases:
        mine = found[case.case_id] = {}
        for use in case.checks:
            key: tuple[Any, ...] = (id(use.check), use.negated)
            if key not in known:
                known[key] = short([use.negated, _as_json(use.check), _golden(use.check)])
            mine[use.metric] = known[key]
        for planned in plan.rubrics[case.case_id]:
            key = (id(planned.rubric), planned.threshold)
            if key not in known:
                known[key] = short({**_rubric_entry(planned), "required": None})
            mine[planned.name] = known[key]
    return found


def _golden(check: Any) -> str | None:
    """A golden file that was blessed anew asks something else under the same path."""
    return check.wanted if isinstance(check, Golden) else None


def _as_json(check: Any) -> str:
    name = json.dumps(check.name)
    dump = getattr(check, "model_dump_json", None)
    fields = dump(exclude_defaults=True)[1:-1] if dump else ""
    return f'{{"check":{name}{"," if fields else ""}{fields}}}'


def _rubric_entry(one: PlannedRubric) -> dict[str, Any]:
    entry: dict[str, Any] = {"kind": "judge" if one.judged else "rubric", "required": one.required}
    if one.threshold is not None:
        entry["threshold"] = float(one.threshold)
    rubric = one.rubric
    if isinstance(rubric, Rubric):
        entry["question"] = rubric.question
        if rubric.scale:
            entry["scale"] = [rubric.scale.min, rubric.scale.max]
            entry["anchors"] = _anchors(rubric.scale.anchors)
        for name in ("labels", "checklist"):
            if getattr(rubric, name):
                entry[name] = dict(getattr(rubric, name))
        if rubric.criteria:
            entry["criteria"] = {name: [scale.min, scale.max] for name, scale in rubric.criteria.items()}
            entry["criteria_anchors"] = {name: _anchors(scale.anchors) for name, scale in rubric.criteria.items()}
        if rubric.pairwise:
            entry["pairwise"] = list(rubric.pairwise)
        if rubric.weighted:
            entry["weighted"] = True
        if rubric.calls != "one":
            entry["calls"] = rubric.calls
        if rubric.answer_first:
            entry["answer_first"] = True
        if rubric.panel:
            entry["panel"] = rubric.panel
        entry["needs"] = list(rubric.needs)
        template, source = template_of(rubric)
        entry["template"] = {"name": template, "hash": digest(source)}
    else:
        entry["definition"] = rubric.model_dump(mode="json")
    return entry


def _anchors(anchors: Any) -> dict[str, str]:
    return {f"{key:g}": text for key, text in anchors.items()}


def describe_prompts(plan: Plan, masker: Masker) -> list[dict[str, Any]]:
    """What each variant that is asked was made of: prompt and its hash, model, requested parameters."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for job in plan.jobs:
        if job.target is None or (job.case.suite, job.variant) in found:
            continue
        variant = job.target.variant
        entry: dict[str, Any] = {"suite": job.case.suite, "variant": job.variant}
        if isinstance(job.target, PromptTarget):
            entry |= job.target.asks
            text = prompt_text(job.case, variant)
            if text is not None:
                entry |= {"prompt": variant.prompt or variant.name, "hash": digest(text)}
        elif isinstance(job.target, HttpTarget):
            entry |= job.target.asks
        elif variant.command:
            entry["command"] = [masker.text(scrub(part)) for part in variant.command]
        elif variant.function:
            entry["function"] = variant.function
        found[job.case.suite, job.variant] = entry
    return list(found.values())

"""Jobs and settings in; the variants of each suite, which one is the reference and which ones decide, out."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from judgekit.config import GateSettings, Project
from judgekit.errors import Complaint, InputError, did_you_mean
from judgekit.judges.pairwise import REFERENCE
from judgekit.models.base import Model
from judgekit.models.recorded import RecordedModel
from judgekit.pipeline.options import Options
from judgekit.pipeline.sources import Job
from judgekit.records import Suite


def variants_of(suites: Iterable[Suite], jobs: Iterable[Job]) -> dict[str, list[str]]:
    suite_of = {case.case_id: suite.name for suite in suites for case in suite.cases}
    found: dict[str, list[str]] = {}
    for job in jobs:
        names = found.setdefault(suite_of[job.case.case_id], [])
        if job.variant not in names:
            names.append(job.variant)
    return found


def reference_variants(
    suites: Iterable[Suite], variants: Mapping[str, Sequence[str]], project: Project, options: Options
) -> dict[str, str]:
    everything = {name for names in variants.values() for name in names}
    if is_reference_answer(options, everything):
        options = replace(options, against=None)
    if options.against is not None and options.against not in everything:
        known = ", ".join(sorted(everything))
        raise InputError(f'--against: there is no variant "{options.against}"; there are {known}.')
    references = {}
    for suite in suites:
        names = variants[suite.name]
        wanted = next((one for one in (options.against, suite.against, project.settings.against) if one in names), None)
        if suite.against is not None and suite.against not in names and not options.against:
            hint = did_you_mean(suite.against, names)
            where = Complaint(suite.file, suite.lines.get("against"), f'there is no variant "{suite.against}".{hint}')
            raise InputError(str(where))
        if len(names) > 1:
            references[suite.name] = wanted or names[0]
    general = project.settings.against
    if general is not None and general not in everything and references:
        said = f'there is no variant "{general}".{did_you_mean(general, sorted(everything))}'
        raise InputError(str(Complaint(project.file, project.line("against"), said)))
    return references


def is_reference_answer(options: Options, variants: Collection[str]) -> bool:
    """True if outputs are to be compared with the reference answer of their case, not with a variant."""
    return bool(options.pairwise) and options.against == REFERENCE and REFERENCE not in variants


def pairs_of(
    variants: Mapping[str, Sequence[str]], references: Mapping[str, str], options: Options
) -> dict[str, tuple[tuple[str, str], ...]]:
    """The pairs of each suite: a variant and what it is compared with.

    Raises:
        InputError: pairs were asked for and there is none, or --round-robin without them.
    """
    if not options.pairwise:
        if options.round_robin:
            raise InputError("--round-robin says which pairs are compared: give --pairwise RUBRIC, too.")
        return {}
    everything = {name for names in variants.values() for name in names}
    if REFERENCE in everything:
        raise InputError(
            f'--pairwise: a variant is called "{REFERENCE}", which in pairs is the reference answer of a case: give it '
            "another name."
        )
    with_answer = is_reference_answer(options, everything)
    if with_answer and options.round_robin:
        raise InputError("--round-robin compares variants with each other: leave out --against reference.")
    found: dict[str, tuple[tuple[str, str], ...]] = {}
    for suite, names in variants.items():
        if with_answer:
            found[suite] = tuple((name, REFERENCE) for name in names)
        elif options.round_robin:
            # The reference variant first, so that the others are compared with it and not it with them.
            ordered = sorted(names, key=lambda name: name != references.get(suite))
            found[suite] = tuple((two, one) for place, one in enumerate(ordered) for two in ordered[place + 1 :])
        else:
            reference = references.get(suite)
            found[suite] = tuple((name, reference) for name in names if reference and name != reference)
    if not any(found.values()):
        only = ", ".join(dict.fromkeys(name for names in variants.values() for name in names))
        raise InputError(
            f"--pairwise: no suite has two variants ({only}); --against reference compares outputs with the reference "
            "answers of their cases."
        )
    return found


def gated_variants(
    variants: Mapping[str, Sequence[str]], references: Mapping[str, str], gate: GateSettings
) -> dict[str, tuple[str, ...]]:
    """The variants that decide, by suite: those that the gate names, else all but the reference variant.

    Args:
        variants: All variants of each suite.
        references: Reference variant of each suite that has several.
        gate: The settings' gate.

    Raises:
        InputError: the gate names a variant that no suite has.
    """
    everything = {name for names in variants.values() for name in names}
    for name in gate.variants:
        if name not in everything:
            raise InputError(f'gate: there is no variant "{name}".{did_you_mean(name, sorted(everything))}')
    result = {}
    for suite, names in variants.items():
        if gate.variants:
            result[suite] = tuple(name for name in names if name in gate.variants)
        else:
            result[suite] = tuple(name for name in names if name != references.get(suite))
    return result


def raise_unnamed_opponents(pairs: Iterable[Sequence[tuple[str, str]]], models: Mapping[str, Model]) -> None:
    """Raise if a recording would serve one reply to several opponents of a variant.

    Args:
        pairs: Variants and their opponents, by suite.
        models: The opened models by name.

    Raises:
        InputError: the first such recording.
    """
    for suite in pairs:
        opponents: dict[str, list[str]] = {}
        for variant, against in suite:
            opponents.setdefault(variant, []).append(against)
        several = next(((name, many) for name, many in opponents.items() if len(many) > 1), None)
        for model in models.values():
            if several and isinstance(model, RecordedModel) and model.serves_any_opponent:
                name, many = several
                raise InputError(
                    f'{model.name}: replies about pairs do not say whom "{name}" was compared with, and here it meets '
                    f'{", ".join(many)}: give these lines "against".'
                )

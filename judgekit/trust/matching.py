"""Labels of people and the results of a run in, both sides of each labelled output out; what fits nothing is named."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from judgekit.errors import InputError, did_you_mean
from judgekit.frame.tables import CaseRow, ResultRow, RunData
from judgekit.trust.labels import Label, LabelFile, Note, Notes
from judgekit.trust.ratings import Rating, common, judged, meant, numbers_meant

HAS_VERDICT = ("pass", "fail", "scored")
_SPLIT = "the annotators are evenly split: the output has no common label and stands in no figure of the judge"


@dataclass(frozen=True, slots=True)
class Pair:
    """One labelled output: what people say of it and what the judge says."""

    suite: str
    case_id: str
    variant: str
    against: str
    trial: int
    output_hash: str
    group: str
    """Twelve digits that outputs to one and the same input share."""
    people: Rating
    """The common rating of all annotators."""
    judge: Rating
    """Empty where judging was skipped."""
    annotators: tuple[tuple[str, Rating], ...] = ()
    sampling: str = ""
    """random, chosen, or nothing where the file does not say; chosen if any row of the output is."""
    blind: bool | None = None
    """False if any annotator saw the verdict."""
    threshold: float | None = None
    comment: str = ""
    reason: str = ""
    """The judge's."""
    lines: tuple[int, ...] = ()
    against_hash: str = ""
    """Of pairs the hash of the other output; nothing where it is no output of the run, or an old record says none."""

    @property
    def is_random(self) -> bool:
        """Whether a rate over such outputs may speak for all; a file that does not say is taken at its best."""
        return self.sampling != "chosen"


@dataclass(frozen=True, slots=True)
class Judged:
    """One judged metric of one judge with its labelled outputs; pairs and single outputs are two of them."""

    metric: str
    judge: str
    judge_identity: str
    models_returned: tuple[str, ...]
    labels: Mapping[str, float]
    """Labels of the rubric with their scores; empty without."""
    scale: tuple[float, float]
    pairs: tuple[Pair, ...]
    """Outputs with a verdict."""
    skipped: tuple[Pair, ...]
    """Outputs that the judge was not asked about, because a required check had failed."""
    n_without_verdict: int
    """Labelled outputs where the judge's reply could not be read, or did not come."""


@dataclass(frozen=True, slots=True)
class Matched:
    """All labels of a run, by metric and judge, and what there is to say of those that are not among them."""

    judged: tuple[Judged, ...]
    notes: tuple[Note, ...]
    n_rows: int
    """Rows that are used."""


@dataclass(frozen=True, slots=True)
class _Rated:
    """One label with the output and the metric that it speaks of."""

    label: Label
    case: CaseRow
    metric: str
    against: str
    rating: Rating


@dataclass
class _Run:
    """The run as labels ask for it."""

    data: RunData
    by_case: dict[str, list[CaseRow]] = field(default_factory=dict)
    rows: dict[tuple[str, str, int, str], list[ResultRow]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for case in self.data.cases:
            self.by_case.setdefault(case.case_id, []).append(case)
        for row in self.data.results:
            if row.kind == "judge":
                self.rows.setdefault((row.case_id, row.variant, row.trial, row.metric), []).append(row)

    @property
    def metrics(self) -> list[str]:
        """The judged metrics, rubrics before their items."""
        names = dict.fromkeys(key[3] for key in self.rows)
        whole: Mapping[str, Any] = self.data.manifest.get("metrics") or {}
        return sorted(names, key=lambda name: name not in whole)

    def hash_of(self, case_id: str, variant: str, trial: int) -> str:
        """Hash of an output; nothing where the run has none such, as of a reference answer."""
        found = [one for one in self.by_case[case_id] if (one.variant, one.trial) == (variant, trial)]
        return found[0].output_hash if found else ""

    def labels(self, metric: str) -> Mapping[str, float]:
        """Labels of a rubric; empty for one with a scale."""
        about = (self.data.manifest.get("metrics") or {}).get(metric) or {}
        return about.get("labels") or {}


def match(file: LabelFile, data: RunData) -> Matched:
    """The labels of a file beside the verdicts of a run.

    Args:
        file: The labels.
        data: The run. A label of another run counts if its `output_hash` is that of this run's output; one of a
            pair does not, as nothing says which the other output was.

    Raises:
        InputError: the run has no judged result, or a row has no rubric and the run several.
    """
    run = _Run(data)
    metrics = run.metrics
    if not metrics:
        raise InputError(f"run {data.path.name} has no judged rubric: there is no judge to calibrate.")
    rubrics = [name for name in metrics if name in (data.manifest.get("metrics") or {})] or metrics
    if len(rubrics) > 1 and any(not one.rubric for one in file.labels):
        raise InputError(f"{file.file}: the run has several rubrics: say in a column rubric which of {_list(rubrics)}.")
    notes = Notes()
    rated = []
    for metric, labels in _by_metric(file.labels, rubrics[0]).items():
        if metric not in metrics:
            hint = did_you_mean(metric, metrics)
            notes.add("unknown_rubric", _lines(labels), f'the run has no judged rubric "{metric}".{hint}')
        elif not run.labels(metric) and numbers_meant([one.label for one in labels if one.label]):
            numbers = [one for one in labels if numbers_meant([one.label]) or one.label in ("0", "1")]
            said = f"{metric}: a label is pass or fail; numbers belong in the column score"
            notes.add("scale_mismatch", _lines(numbers), said)
            rated += _rated([one for one in labels if one not in numbers], metric, run, notes)
        else:
            rated += _rated(labels, metric, run, notes)
    rated = _without_contradictions(rated, notes)
    _note_what_is_unsaid(rated, notes)
    found = _by_judge(rated, run, notes)
    return Matched(tuple(found), (*file.notes, *notes.all()), len(rated))


def _by_metric(labels: Iterable[Label], only: str) -> dict[str, list[Label]]:
    found: dict[str, list[Label]] = {}
    for one in labels:
        found.setdefault(one.rubric or only, []).append(one)
    return found


def _rated(labels: Iterable[Label], metric: str, run: _Run, notes: Notes) -> list[_Rated]:
    found = []
    for label in labels:
        case = _output(label, run, notes)
        if case is None:
            continue
        rows = run.rows.get((case.case_id, case.variant, case.trial, metric), [])
        if label.against:
            rows = [row for row in rows if row.against == label.against]
        elif any(not row.against for row in rows):
            # Without an opponent a label speaks of the output alone, where that was judged, too.
            rows = [row for row in rows if not row.against]
        if not rows:
            against = f" against {label.against}" if label.against else ""
            said = f'{metric}{against} was not to be judged for case "{case.case_id}" by variant "{case.variant}"'
            notes.add("not_judged", label.line, said)
            continue
        if len({row.against for row in rows}) > 1:
            notes.add("ambiguous", label.line, f"{metric} compares with several variants: the column against is needed")
            continue
        run_id = run.data.summary["run_id"]
        if rows[0].against and label.run_id and label.run_id != run_id:
            said = f"a pair of run {label.run_id}: output_hash speaks of one of both outputs, and nothing of the other"
            notes.add("other_run", label.line, said)
            continue
        try:
            rating = meant(label, rows[0], run.labels(metric))
        except ValueError as problem:
            notes.add("scale_mismatch", label.line, str(problem))
            continue
        found.append(_Rated(label, case, metric, rows[0].against, rating))
    return found


def _output(label: Label, run: _Run, notes: Notes) -> CaseRow | None:
    """The output that a label speaks of; None, with a note, if the run has none such."""
    run_id = run.data.summary["run_id"]
    # What a table writes before an id that a spreadsheet would take for a formula.
    mine = run.by_case.get(label.case_id) or run.by_case.get(label.case_id.removeprefix("'"))
    if mine is None:
        notes.add("unknown_case", label.line, f'run {run_id} has no case "{label.case_id}"')
        return None
    if label.variant:
        mine = [case for case in mine if case.variant == label.variant]
        if not mine:
            notes.add("other_variant", label.line, f'run {run_id} has no variant "{label.variant}" of this case')
            return None
    if label.trial is not None:
        mine = [case for case in mine if case.trial == label.trial]
    with_text = [case for case in mine if case.output is not None]
    if not with_text:
        notes.add("no_output", label.line, f"run {run_id} has no such output")
        return None
    if label.output_hash:
        same = [case for case in with_text if case.output_hash == label.output_hash.lower()]
        if not same:
            notes.add("other_output", label.line, f"run {run_id} has another output there (output_hash differs)")
            return None
        return same[0]
    if label.run_id and label.run_id != run_id:
        said = f"of run {label.run_id}, and without output_hash nobody knows whether the outputs are the same"
        notes.add("other_run", label.line, said)
        return None
    if len(with_text) > 1:
        notes.add("ambiguous", label.line, "the case has several outputs: variant, trial or output_hash is needed")
        return None
    return with_text[0]


def _without_contradictions(rated: Sequence[_Rated], notes: Notes) -> list[_Rated]:
    """One rating per annotator and output; what one person said both ways is not used at all."""
    groups: dict[tuple[Any, ...], list[_Rated]] = {}
    for one in rated:
        case = one.case
        key = (case.case_id, case.variant, case.trial, one.metric, one.against, one.label.annotator)
        groups.setdefault(key, []).append(one)
    kept = []
    for group in groups.values():
        if len({one.rating for one in group}) > 1:
            by = f" by {group[0].label.annotator}" if group[0].label.annotator else ""
            said = f'contradictory labels{by} on case "{group[0].case.case_id}" ({group[0].metric})'
            notes.add("contradictory", [one.label.line for one in group], said)
            continue
        if len(group) > 1:
            notes.add("repeated", [one.label.line for one in group[1:]], "an earlier row says the same")
        kept.append(group[0])
    return kept


def _note_what_is_unsaid(rated: Sequence[_Rated], notes: Notes) -> None:
    labels = [one.label for one in rated]
    unsure = [one.line for one in labels if not one.output_hash]
    notes.add("no_hash", unsure, "without output_hash, taken for labels of this run's outputs", used=True)
    of_pairs = [one.label.line for one in rated if one.against and not one.label.run_id]
    said = "of pairs and without run_id, taken for labels of this run: output_hash speaks of one of both outputs"
    notes.add("pair_without_run", of_pairs, said, used=True)
    seen = [one.line for one in labels if one.blind is False]
    notes.add("not_blind", seen, "the annotator saw the verdict, which draws people to it", used=True)
    unsaid = [one.line for one in labels if one.blind is None]
    notes.add("blind_unsaid", unsaid, "the file does not say whether the annotator saw the verdict", used=True)
    chosen = [one.line for one in labels if one.sampling == "chosen"]
    said = "chosen, not drawn at random: counted for agreement, not for corrected rates"
    notes.add("chosen", chosen, said, used=True)
    unknown = [one.line for one in labels if not one.sampling]
    notes.add(
        "sampling_unsaid", unknown, "the file does not say how the outputs were chosen: taken as random", used=True
    )


def _by_judge(rated: Sequence[_Rated], run: _Run, notes: Notes) -> list[Judged]:
    outputs: dict[tuple[str, str, int, str, str], list[_Rated]] = {}
    for one in rated:
        outputs.setdefault((one.case.case_id, one.case.variant, one.case.trial, one.metric, one.against), []).append(
            one
        )
    judges: dict[tuple[str, str, str], list[tuple[ResultRow, Pair]]] = {}
    for (case_id, variant, trial, metric, against), group in outputs.items():
        for row in run.rows[case_id, variant, trial, metric]:
            if row.against != against:
                continue
            pair = _pair(group, row, run.hash_of(case_id, against, trial) if against else "")
            if not pair.people.says_something:
                notes.add("split", pair.lines, _SPLIT, used=True)
            if row.judge and row.judge_identity:
                judges.setdefault((metric, row.judge, row.judge_identity), []).append((row, pair))
            else:
                notes.add("no_judge", pair.lines, f"{metric}: no judge was asked in this run")
    return [_judged(*key, found, run) for key, found in judges.items()]


def _judged(metric: str, judge: str, identity: str, found: Sequence[tuple[ResultRow, Pair]], run: _Run) -> Judged:
    first = found[0][0]
    returned = dict.fromkeys(row.model_returned for row, _ in found if row.model_returned)
    skipped = [pair for row, pair in found if row.status == "skipped" and (row.cause or "").startswith("check:")]
    pairs = [pair for row, pair in found if row.status in HAS_VERDICT]
    return Judged(
        metric=metric,
        judge=judge,
        judge_identity=identity,
        models_returned=tuple(returned),
        # Of pairs the labels are win, tie and loss, whatever those of the rubric are.
        labels={} if first.against else run.labels(metric),
        scale=(first.scale_min, first.scale_max),
        pairs=tuple(pairs),
        skipped=tuple(skipped),
        n_without_verdict=len(found) - len(pairs) - len(skipped),
    )


def _pair(group: Sequence[_Rated], row: ResultRow, against_hash: str) -> Pair:
    case, labels = group[0].case, [one.label for one in group]
    blinds = {one.blind for one in labels}
    return Pair(
        suite=case.suite,
        case_id=case.case_id,
        variant=case.variant,
        against=row.against,
        trial=case.trial,
        output_hash=case.output_hash,
        group=hashlib.sha256(case.input.encode("utf-8", "surrogatepass")).hexdigest()[:12],
        people=common([one.rating for one in group]),
        judge=judged(row),
        annotators=tuple((one.label.annotator, one.rating) for one in group),
        sampling=next((way for way in ("chosen", "") if any(one.sampling == way for one in labels)), "random"),
        blind=False if False in blinds else None if None in blinds else True,
        threshold=row.threshold,
        comment=" / ".join(one.comment for one in labels if one.comment),
        reason=row.reason,
        lines=tuple(one.line for one in labels),
        against_hash=against_hash,
    )


def _lines(labels: Iterable[Label]) -> list[int]:
    return [one.line for one in labels]


def _list(names: Sequence[str]) -> str:
    return ", ".join(names)

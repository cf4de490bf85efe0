"""What was measured of a judge in, JSON files that a project can commit out, and back.

A record is keyed by judge identity and rubric. It holds figures and, of each labelled output, its ids, hashes and both
ratings; no text. `trust.json` of a run holds the records that speak of it; `.judgekit/trust/` one file a record.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judgekit.errors import InputError
from judgekit.reading.text import read_text, shown
from judgekit.trust.badge import Level, badge
from judgekit.trust.matching import Judged, Pair
from judgekit.trust.measure import Figures, measure
from judgekit.trust.ratings import Rating
from judgekit.writing import write_json

if TYPE_CHECKING:
    from pydantic import TypeAdapter

VERSION = 1
FILE = "trust.json"
FOLDER = Path(".judgekit") / "trust"


@dataclass(frozen=True)
class TrustRecord:
    """One judge on one rubric, measured against people."""

    metric: str
    judge: str
    judge_identity: str
    models_returned: tuple[str, ...]
    run_id: str
    """The run whose outputs were labelled last."""
    calibrated_at: str
    level: Level
    sentence: str
    figures: Mapping[str, Any]
    """As `figures_record` lays them out."""
    labels: Mapping[str, float]
    scale: tuple[float, float]
    pairs: tuple[Pair, ...]
    per_variant: bool = False
    """Whether labels speak only of the variant that they are of."""
    by_variant: Mapping[str, Mapping[str, Any]] | None = None
    """Level, sentence and figures of each variant alone."""

    @property
    def key(self) -> str:
        """`identity/metric`, as trust.json has it."""
        return f"{self.judge_identity}/{self.metric}"

    @property
    def in_pairs(self) -> bool:
        """Whether it speaks of comparisons of two outputs."""
        return any(one.against for one in self.pairs)

    @property
    def title(self) -> str:
        """The metric as people read it: comparisons by the same rubric are told apart from single outputs."""
        return in_pairs_said(self.metric) if self.in_pairs else self.metric


def in_pairs_said(metric: str) -> str:
    """A metric of which pairs are judged, in words.

    Example:
        >>> in_pairs_said("tone")
        'tone, in pairs'
    """
    return f"{metric}, in pairs"


def make_record(
    found: Judged, *, run_id: str, calibrated_at: str, per_variant: bool = False, before: TrustRecord | None = None
) -> TrustRecord | None:
    """The record of one judge; None if no label of it is beside a verdict, whatever an older record holds.

    Args:
        found: The labelled outputs.
        run_id: Run that they are of.
        calibrated_at: Time in UTC.
        per_variant: Whether variants are measured apart.
        before: An older record of the same key: what it knows of other suites is kept.
    """
    if not found.pairs:
        return None
    suites = {one.suite for one in found.pairs}
    kept = tuple(one for one in before.pairs if one.suite not in suites) if before else ()
    pairs = (*found.pairs, *kept)
    figures = measure(pairs, found.labels, found.scale)
    level, sentence = badge(figures, pairs)
    variants = list(dict.fromkeys(one.variant for one in pairs))
    apart = {name: [one for one in pairs if one.variant == name] for name in variants}
    return TrustRecord(
        metric=found.metric,
        judge=found.judge,
        judge_identity=found.judge_identity,
        models_returned=found.models_returned,
        run_id=run_id,
        calibrated_at=calibrated_at,
        level=level,
        sentence=sentence,
        figures=figures_record(figures),
        labels=found.labels,
        scale=found.scale,
        pairs=pairs,
        per_variant=per_variant,
        by_variant={name: _variant(mine, found) for name, mine in apart.items()} if len(variants) > 1 else None,
    )


def replaced(record: TrustRecord, before: TrustRecord) -> int:
    """How many labels of an older record do not stand in the one that takes its place."""
    kept = {_said(one) for one in record.pairs}
    return sum(_said(one) not in kept for one in before.pairs)


def _said(pair: Pair) -> tuple[Any, ...]:
    places = (pair.suite, pair.case_id, pair.variant, pair.against, pair.trial, pair.output_hash)
    return (*places, pair.people)


def _variant(pairs: Sequence[Pair], found: Judged) -> dict[str, Any]:
    figures = measure(pairs, found.labels, found.scale)
    level, sentence = badge(figures, pairs)
    return {"level": level, "sentence": sentence, "figures": figures_record(figures)}


def figures_record(figures: Figures) -> dict[str, Any]:
    """The figures as JSON: counts, `estimates` by name, `confusion`, `threshold`, `ceiling`."""
    threshold = figures.threshold
    return {
        "n_outputs": figures.n_outputs,
        "n_compared": figures.n_compared,
        "n_cases": figures.n_cases,
        "headline": figures.headline,
        "estimates": {name: estimate_record(one) for name, one in figures.estimates.items()},
        "confusion": None
        if figures.confusion is None
        else {"names": list(figures.confusion[0]), "people_by_judge": [list(row) for row in figures.confusion[1]]},
        "threshold": None
        if threshold is None
        else {
            "value": threshold.value,
            "kappa": estimate_record(threshold.kappa),
            "agreement": estimate_record(threshold.agreement),
            "current": threshold.current,
            "current_kappa": None if threshold.current_kappa is None else estimate_record(threshold.current_kappa),
            "n_chosen_on": threshold.n_chosen_on,
            "n_reported_on": threshold.n_reported_on,
        },
        "ceiling": {name: estimate_record(one) for name, one in figures.ceiling.items()},
    }


def estimate_record(one: Any) -> dict[str, Any]:
    """An Estimate as JSON; corrected ones say by how many labels."""
    labels = one.detail.get("labels")
    return {
        "value": one.value,
        "low": one.low,
        "high": one.high,
        "level": one.level,
        "method": one.method,
        "n": one.n,
        **({"n_labels": int(labels)} if labels is not None else {}),
        **({"reason": one.reason} if one.reason else {}),
    }


# ---------------------------------------------------------------------------------------------------------- on disk


def write_run_records(folder: Path, records: Iterable[TrustRecord], *, beside: Mapping[str, Any] | None = None) -> None:
    """Write trust.json of a run.

    Args:
        folder: The run folder.
        records: What is known of its judges.
        beside: Further entries of the file, such as disagreements.
    """
    value = {"version": VERSION, "records": {one.key: record_json(one) for one in records}, **(beside or {})}
    write_json(folder / FILE, value)


def read_run_records(folder: Path) -> list[TrustRecord]:
    """The records in trust.json of a run; none if there is no such file.

    Raises:
        InputError: the file is damaged.
    """
    path = folder / FILE
    if not path.is_file():
        return []
    records = _read(path).get("records")
    if not isinstance(records, dict):
        raise InputError(f"{shown(path)}: is damaged: it holds no records.")
    return [_record(one, path) for one in records.values()]


def keep_record(root: Path, record: TrustRecord) -> Path:
    """Write a record into the project's `.judgekit/trust/`, in the place of an older one, and return its file."""
    path = _path(root, record.metric, record.judge_identity)
    write_json(path, {"version": VERSION, **record_json(record)})
    return path


def project_records(root: Path) -> tuple[TrustRecord, ...]:
    """The project's records of all judges.

    Raises:
        InputError: a file is damaged.
    """
    return tuple(_record(_read(path), path) for path in _files(root))


def sound_records(root: Path) -> tuple[tuple[TrustRecord, ...], list[str]]:
    """The project's records as far as they can be read, and what is wrong with the others."""
    found, wrong = [], []
    for path in _files(root):
        try:
            found.append(_record(_read(path), path))
        except InputError as problem:
            wrong.append(str(problem))
    return tuple(found), wrong


def _files(root: Path) -> list[Path]:
    return sorted((root / FOLDER).glob("*.json"))


def _path(root: Path, metric: str, judge_identity: str) -> Path:
    name = re.sub(r"[^A-Za-z0-9._-]+", "_", metric)
    return root / FOLDER / f"{name}-{judge_identity}.json"


def record_json(record: TrustRecord) -> dict[str, Any]:
    """A record as JSON."""
    value = {name: getattr(record, name) for name in _PLAIN} | {
        "models_returned": list(record.models_returned),
        "labels": dict(record.labels),
        "scale": list(record.scale),
        "pairs": [_row(one) for one in record.pairs],
    }
    return value if record.by_variant is None else value | {"by_variant": dict(record.by_variant)}


_PLAIN = ("metric", "judge", "judge_identity", "run_id", "calibrated_at", "level", "sentence", "figures", "per_variant")
_OF_ROW = (
    *("suite", "case_id", "variant", "against", "against_hash", "trial", "output_hash", "group", "sampling", "blind"),
    "threshold",
)


def _row(pair: Pair) -> dict[str, Any]:
    ids = {name: getattr(pair, name) for name in _OF_ROW}
    return {**ids, "people": _rating(pair.people), "judge": _rating(pair.judge)}


def _rating(rating: Rating) -> dict[str, Any]:
    return {name: value for name, value in asdict(rating).items() if value is not None}


def _read(path: Path) -> dict[str, Any]:
    try:
        value = json.loads(read_text(path))
    except (ValueError, RecursionError) as problem:
        raise InputError(f"{shown(path)}: is damaged: {problem}.") from None
    if not isinstance(value, dict) or value.get("version") != VERSION:
        raise InputError(f"{shown(path)}: is no trust record of this version; `judgekit calibrate` writes it anew.")
    return value


def _record(value: Any, path: Path) -> TrustRecord:
    from pydantic import ValidationError

    try:
        return _adapter().validate_json(json.dumps(value), strict=True)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        said = f"{shown(path)}: is damaged ({where}: {first['msg']}); `judgekit calibrate` writes it anew."
        raise InputError(said) from None


@cache
def _adapter() -> TypeAdapter[TrustRecord]:
    from pydantic import TypeAdapter

    return TypeAdapter(TrustRecord)

"""A run's results and what is known of its judges in; its trust and the corrected figures beside the raw ones out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from judgekit.frame.panels import PANEL, deciding
from judgekit.frame.tables import CaseRow, ResultRow
from judgekit.frame.units import Unit
from judgekit.trust.correct import Population
from judgekit.trust.records import TrustRecord, estimate_record, in_pairs_said

if TYPE_CHECKING:
    from judgekit.stats import Estimate

UNKNOWN = "not calibrated against people"
NOT_CALIBRATED = "the judge is not calibrated against people"


_Judge = tuple[str, str, str]
"""Metric, judge and judge identity."""
_Group = tuple[str, str, _Judge]
"""Variant, the one that it is compared with, or nothing, and who judged."""


class RunTrust:
    """How far the judges of one run can be trusted, and their rates corrected by it.

    Args:
        records: What is known of judges; those of others than this run's are left aside.
        results: Every row of the run.
        cases: Every output.
        units: Every case × variant; negative fixtures and cases only to be read enter no rate.
    """

    def __init__(
        self,
        records: Iterable[TrustRecord],
        results: Sequence[ResultRow],
        cases: Sequence[CaseRow],
        units: Sequence[Unit],
    ) -> None:
        known = {(one.metric, one.judge_identity): one for one in records}
        outputs = {(case.case_id, case.variant, case.trial): case for case in cases}
        left_out = {(unit.case_id, unit.variant) for unit in units if unit.negative or unit.status == "skipped"}
        groups: dict[_Group, list[ResultRow]] = {}
        self._judges: dict[_Judge, bool] = {}
        self._pairwise: set[_Judge] = set()
        for row in results:
            if row.kind != "judge" or not row.judge or not row.judge_identity:
                continue
            key = (row.metric, row.judge, row.judge_identity)
            self._judges[key] = self._judges.get(key, False) or row.score is not None or row.passed is not None
            if row.against:
                self._pairwise.add(key)
            if (row.case_id, row.variant) not in left_out:
                groups.setdefault((row.variant, row.against, key), []).append(row)
        self.records = [known[metric, identity] for metric, _, identity in self._judges if (metric, identity) in known]
        self._known = known
        self._suites = {
            key: {case.suite for row in rows if (case := outputs.get((row.case_id, row.variant, row.trial)))}
            for key, rows in groups.items()
        }
        self._populations = {
            key: Population(tuple(rows), outputs, known.get((key[2][0], key[2][2]))) for key, rows in groups.items()
        }
        counted = [row for rows in groups.values() for row in rows]
        self._deciding = {
            (row.variant, row.against, (row.metric, row.judge or "", row.judge_identity or ""))
            for row in deciding(counted)
        }

    @property
    def entries(self) -> dict[str, dict[str, Any]]:
        """`trust` of summary.json: one entry for each judged metric that has a score.

        Its name is the metric; `METRIC, in pairs` for comparisons where single outputs are judged by the same rubric,
        too; ` [JUDGE]` after it where there are several, ` [JUDGE IDENTITY]` where one judge was asked in several ways.
        """
        shown = [key for key, scored in self._judges.items() if scored and self._is_shown(key)]
        names = _told_apart(
            [key[0] for key in shown],
            [in_pairs_said(key[0]) if key in self._pairwise else key[0] for key in shown],
        )
        names = _told_apart(names, [f"{name} [{key[1]}]" for name, key in zip(names, shown, strict=True)])
        names = _told_apart(names, [f"{name} [{key[2]}]" for name, key in zip(names, shown, strict=True)])
        return {name: self._entry(*key) for name, key in zip(names, shown, strict=True)}

    def _is_shown(self, key: _Judge) -> bool:
        """Items of a checklist are shown where people rated them."""
        metric, _, identity = key
        return (metric, identity) in self._known or metric not in self._items()

    def _items(self) -> set[str]:
        names = {metric for metric, *_ in self._judges}
        return {name for name in names if name.rpartition(".")[0] in names}

    def _entry(self, metric: str, judge: str, identity: str) -> dict[str, Any]:
        rubric = metric.rpartition(".")[0] if metric in self._items() else metric
        base: dict[str, Any] = {"metric": metric, "judge": judge, "judge_identity": identity, "rubric": rubric}
        if (metric, judge, identity) in self._pairwise:
            base["in_pairs"] = True
        record = self._known.get((metric, identity))
        if record is None:
            return {**base, "level": "uncalibrated", "sentence": UNKNOWN, "figures": {}}
        suites = set().union(*(found for key, found in self._suites.items() if key[2] == (metric, judge, identity)))
        if not suites & {pair.suite for pair in record.pairs}:
            names = ", ".join(dict.fromkeys(pair.suite for pair in record.pairs))
            said = f"{UNKNOWN} on this suite, only on {names}"
            return {**base, "level": "uncalibrated", "sentence": said, "figures": {}}
        entry = {
            **base,
            "level": record.level,
            "sentence": record.sentence,
            "figures": dict(record.figures),
            "run_id": record.run_id,
            "calibrated_at": record.calibrated_at,
        }
        return entry if record.by_variant is None else entry | {"by_variant": dict(record.by_variant)}

    def warnings(self, results: Iterable[ResultRow]) -> list[str]:
        """What a reader of judged scores has to know: no calibration, a weak judge that decides, another model."""
        entries = {(one["metric"], one["judge_identity"]): one["level"] for one in self.entries.values()}
        rows = [row for row in results if row.kind == "judge" and (row.metric, row.judge_identity) in entries]
        scored = [row for row in rows if row.score is not None or row.passed is not None]
        said = []
        unknown = [row for row in scored if entries[row.metric, row.judge_identity] == "uncalibrated"]
        deciding = ", ".join(dict.fromkeys(row.metric for row in unknown if row.required))
        if deciding:
            said.append(f"{NOT_CALIBRATED}, and yet its scores decide here: {deciding}")
        elif unknown:
            some = {row.metric for row in unknown} != {row.metric for row in scored}
            of = " on " + ", ".join(dict.fromkeys(row.metric for row in unknown)) if some else ""
            said.append(f"{NOT_CALIBRATED}{of}: its scores inform, they do not veto")
        weak = [row for row in scored if row.required and entries[row.metric, row.judge_identity] == "weak"]
        if weak:
            names = ", ".join(dict.fromkeys(row.metric for row in weak))
            said.append(f"the judge agrees weakly with people, and yet its scores decide here: {names}")
        for record in self.records:
            now = {
                row.model_returned
                for row in scored
                if (row.metric, row.judge_identity) == (record.metric, record.judge_identity) and row.model_returned
            }
            if record.models_returned and now - set(record.models_returned):
                before, after = ", ".join(record.models_returned), ", ".join(sorted(now))
                said.append(f"{record.metric}: people were compared with answers of {before}, here {after} answers")
        return said

    def beside(self, estimates: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """The estimates with the corrected figures beside those of judged metrics that people have labelled.

        `corrected_pass_rate` with `_low` and `_high` is the headline; `corrected` holds `pass_rate`,
        `overall_pass_rate` and `mean`, each with value, low, high, level, method, n and reason.
        """
        found = []
        for one in estimates:
            population = self._of(one)
            found.append(dict(one) if population is None else {**one, **_corrected(population)})
        return found

    def _of(self, estimate: Mapping[str, Any]) -> Population | None:
        if estimate["kind"] != "judge":
            return None
        what = (estimate["variant"], estimate["metric"], estimate.get("against", ""))
        mine = [
            population
            for (variant, against, (metric, judge, _)), population in self._populations.items()
            if (variant, metric, against) == what and estimate.get("judge", judge) == judge
        ]
        return mine[0] if len(mine) == 1 else None

    def corrected_pass_rates(self, variant: str, metric: str, passing: int, failing: int) -> list[Estimate]:
        """The corrected pass rates that decide on a metric; none if any of them cannot be corrected.

        As in `frame.panels.deciding` a panel decides in the place of its members and single outputs in the place of
        pairs. Several rates are left only where several judges, or pairs with several others, decide side by side.

        Args:
            variant: Whose outputs.
            metric: Which metric.
            passing: Missing results to count as passed.
            failing: Missing results to count as failed.
        """
        found = [one.corrected(passing=passing, failing=failing) for one in self._decisive(variant, metric)]
        rates = [one.pass_rate for one in found if one.pass_rate is not None]
        return rates if all(one.is_corrected for one in found if one.pass_rate is not None) else []

    def why_not_corrected(self, variant: str, metric: str) -> str:
        """Why a metric has no corrected pass rate."""
        found = [(one.rows[0].judge, one.corrected()) for one in self._decisive(variant, metric)]
        # Of several judges the one that is not calibrated is the reason.
        for judge, one in sorted(found, key=lambda pair: pair[1].is_corrected):
            if one.pass_rate is not None:
                who = "the panel, which decides: " if judge == PANEL else f"{judge}: " if len(found) > 1 else ""
                return f"{who}{one.pass_rate.reason}"
        return "nothing was judged by a threshold"

    def _decisive(self, variant: str, metric: str) -> list[Population]:
        return [
            population
            for key, population in self._populations.items()
            if (key[0], key[2][0]) == (variant, metric) and key in self._deciding
        ]


def _told_apart(names: Sequence[str], longer: Sequence[str]) -> list[str]:
    """The longer name in the place of each that is not the only one."""
    return [long if names.count(name) > 1 else name for name, long in zip(names, longer, strict=True)]


def _corrected(population: Population) -> dict[str, Any]:
    found = population.corrected()
    figures = {
        name: estimate_record(one)
        for name, one in (
            ("pass_rate", found.pass_rate),
            ("overall_pass_rate", found.overall_pass_rate),
            ("mean", found.mean),
        )
        if one is not None
    }
    value = found.pass_rate if found.is_corrected else None
    return {
        "corrected_pass_rate": None if value is None else value.value,
        "corrected_pass_rate_low": None if value is None else value.low,
        "corrected_pass_rate_high": None if value is None else value.high,
        "corrected": figures,
    }

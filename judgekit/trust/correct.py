"""Records of a judge against people and the results of a run in; rates and means corrected for its mistakes out.

A rate or mean speaks of the judged outputs of one variant; `overall` of all its outputs, those that failed a required
check counting as failed. By the first way that the labels allow:

    PPI++          30 or more random labels of this variant's own outputs, as they are in this run
    Rogan-Gladen   30 or more random labels of other outputs of the same suites and rubric
    labels alone   fewer labels, of this variant's own outputs
    raw            else, with the reason

Means of scores likewise; there the mean error on other outputs stands in the place of hit rates.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from judgekit.frame.tables import CaseRow, ResultRow
from judgekit.trust.matching import HAS_VERDICT, Pair
from judgekit.trust.rates import rate
from judgekit.trust.records import TrustRecord

if TYPE_CHECKING:
    from judgekit.stats import Estimate

Labelled = Sequence[tuple[ResultRow, Pair]]


@dataclass(frozen=True)
class Corrected:
    """What people would say of one variant's outputs on one metric, by one judge's verdicts."""

    pass_rate: Estimate | None
    """None where nothing was decided by a threshold."""
    overall_pass_rate: Estimate | None
    """None where every output was judged: then it is `pass_rate`."""
    mean: Estimate | None
    """None where people gave no scores."""

    @property
    def is_corrected(self) -> bool:
        """Whether the pass rate rests on labels by people."""
        return self.pass_rate is not None and not self.pass_rate.method.startswith("raw")


@dataclass(frozen=True)
class Population:
    """The results of one variant on one metric by one judge, beside what is known of that judge."""

    rows: tuple[ResultRow, ...]
    cases: Mapping[tuple[str, str, int], CaseRow]
    """By case, variant and trial."""
    record: TrustRecord | None

    def corrected(self, *, passing: int = 0, failing: int = 0, level: float = 0.95) -> Corrected:
        """The corrected figures.

        Args:
            passing: How many results that are still missing to count as passed by the judge.
            failing: How many to count as failed.
            level: Confidence level.
        """
        from judgekit.stats import product_rate

        mean = self._mean(level)
        if not passing and not failing and all(row.passed is None for row in self.rows):
            return Corrected(None, None, mean)
        found = self._rate(passing, failing, level)
        skipped = [row for row in self.rows if row.status == "skipped" and (row.cause or "").startswith("check:")]
        if not skipped:
            return Corrected(found, None, mean)
        reached = [row for row in self.rows if row.status in (*HAS_VERDICT, "unscored")]
        passed = [True] * len(reached) + [False] * len(skipped)
        share = rate(passed, [row.case_id for row in (*reached, *skipped)], level)
        return Corrected(found, replace(product_rate(share, found), detail=found.detail), mean)

    def _rate(self, passing: int, failing: int, level: float) -> Estimate:
        from judgekit.stats import corrected_rate
        from judgekit.stats.correction import LEAST_LABELS

        decided = [row for row in self.rows if row.passed is not None]
        missing = [1.0] * passing + [0.0] * failing
        own = [(row, pair) for row, pair in self._own(decided) if pair.people.at(row.threshold).passed is not None]
        rest = _without(decided, own)
        here = corrected_rate(
            [float(bool(pair.people.at(row.threshold).passed)) for row, pair in own],
            [float(bool(row.passed)) for row, _ in own],
            [float(bool(row.passed)) for row in rest] + missing,
            labelled="these",
            cluster=[row.case_id for row, _ in own],
            judged_cluster=_cases(rest, missing),
            level=level,
        )
        if here.method.startswith("PPI") or (own and not rest and not missing):
            return here
        thresholds = {row.threshold for row in decided}
        others = self._others(thresholds.pop() if len(thresholds) == 1 else None)
        if len({pair.case_id for pair in others}) >= LEAST_LABELS:
            there = corrected_rate(
                [float(bool(pair.people.passed)) for pair in others],
                [float(bool(pair.judge.passed)) for pair in others],
                [float(bool(row.passed)) for row in decided] + missing,
                labelled="others",
                cluster=[pair.case_id for pair in others],
                judged_cluster=_cases(decided, missing),
                level=level,
            )
            if not there.method.startswith("raw"):
                return _because(there, self._elsewhere(len(others)))
            return here if own else there
        return here if own else replace(here, reason=self._why_not(len(others)))

    def _mean(self, level: float) -> Estimate | None:
        from judgekit.stats import mean_interval, ppi_mean
        from judgekit.stats.correction import LEAST_LABELS

        scored = [row for row in self.rows if row.score is not None]
        own = [(row, pair) for row, pair in self._own(scored) if pair.people.score is not None]
        others = [one for one in self._others(None) if one.people.score is not None and one.judge.score is not None]
        if not scored or not (own or others):
            return None
        rest = _without(scored, own)
        scale = (scored[0].scale_min, scored[0].scale_max)
        people, of = [pair.people.score or 0.0 for _, pair in own], [row.case_id for row, _ in own]
        enough_here, enough_there = (
            len(set(cases)) >= LEAST_LABELS for cases in (of, [pair.case_id for pair in others])
        )
        if own and rest and enough_here:
            judge, judged = [row.score or 0.0 for row, _ in own], [row.score or 0.0 for row in rest]
            found = ppi_mean(
                people, judge, judged, cluster=of, judged_cluster=_cases(rest, []), level=level, bounds=scale
            )
            return _by(found, len(own))
        if rest and enough_there:
            found = ppi_mean(
                [pair.people.score or 0.0 for pair in others],
                [pair.judge.score or 0.0 for pair in others],
                [row.score or 0.0 for row in scored],
                weight=1.0,
                # Apart from those of this run: a case that stands in both is two outputs.
                cluster=[f"{pair.case_id}\0labelled" for pair in others],
                judged_cluster=_cases(scored, []),
                level=level,
                bounds=scale,
            )
            found = replace(found, method="mean error elsewhere")
            return _by(_because(found, self._elsewhere(len(others))), len(others))
        if own:
            alone = mean_interval(people, of, level=level, bounds=scale)
            said = f"only {len(own)} labels: too few to correct by, so they stand alone" if rest else ""
            return _by(_because(replace(alone, method=f"labels alone, {alone.method}"), said), len(own))
        raw = mean_interval([row.score or 0.0 for row in scored], _cases(scored, []), level=level, bounds=scale)
        return replace(raw, method=f"raw, {raw.method}", reason=self._why_not(len(others)))

    def _own(self, rows: Sequence[ResultRow]) -> Labelled:
        """Results with a random label of the very same output, of pairs both; none where some of those have changed.

        Those that did not change are no random part of the run: they may be the easy ones.
        """
        if self.record is None or not rows:
            return ()
        found = {(row.case_id, row.trial, row.against): row for row in rows}
        matched = []
        for pair in self.record.pairs:
            case = self.cases.get((pair.case_id, rows[0].variant, pair.trial))
            is_of_these = (pair.variant, pair.against) == (rows[0].variant, rows[0].against)
            if not is_of_these or not pair.is_random or case is None:
                continue
            if (case.suite, case.output_hash) != (pair.suite, pair.output_hash) or not self._same_other(pair, case):
                return ()
            row = found.get((pair.case_id, pair.trial, pair.against))
            if row is not None:
                matched.append((row, pair))
        return matched

    def _same_other(self, pair: Pair, case: CaseRow) -> bool:
        """Whether the other output of a labelled pair is known to be that of this run; of no pair it is."""
        assert self.record is not None
        if not pair.against or case.run_id == self.record.run_id:
            return True
        other = self.cases.get((pair.case_id, pair.against, pair.trial))
        return other is not None and bool(pair.against_hash) and other.output_hash == pair.against_hash

    def _others(self, threshold: float | None) -> list[Pair]:
        """All random labels of the same suites, of any outputs, by the threshold of this run."""
        if self.record is None or not self.rows:
            return []
        variant = self.rows[0].variant
        suites = {case.suite for row in self.rows if (case := self.cases.get((row.case_id, variant, row.trial)))}
        pairs = [
            replace(one, people=one.people.at(threshold), judge=one.judge.at(threshold))
            for one in self.record.pairs
            if one.is_random and one.suite in suites and (not self.record.per_variant or one.variant == variant)
        ]
        if threshold is None:
            return pairs
        return [one for one in pairs if one.people.passed is not None and one.judge.passed is not None]

    def _elsewhere(self, n: int) -> str:
        assert self.record is not None
        return f"by the judge's mistakes on {n} labels of the same suite and rubric, run {self.record.run_id}"

    def _why_not(self, n_others: int) -> str:
        from judgekit.stats.correction import LEAST_LABELS

        if self.record is None:
            return "not corrected: no labels by people (`judgekit calibrate`)"
        if not n_others:
            return "not corrected: the labels by people are of other suites, or none of them was drawn at random"
        return f"not corrected: only {n_others} labels by people of other outputs, {LEAST_LABELS} are needed"


def _without(rows: Sequence[ResultRow], labelled: Labelled) -> list[ResultRow]:
    known = {id(row) for row, _ in labelled}
    return [row for row in rows if id(row) not in known]


def _cases(rows: Sequence[ResultRow], missing: Sequence[float]) -> list[str]:
    return [*(row.case_id for row in rows), *(f"\0missing {number}" for number in range(len(missing)))]


def _because(one: Estimate, reason: str) -> Estimate:
    return replace(one, reason="; ".join(part for part in (reason, one.reason) if part))


def _by(one: Estimate, n_labels: int) -> Estimate:
    return replace(one, detail={**one.detail, "labels": float(n_labels)})

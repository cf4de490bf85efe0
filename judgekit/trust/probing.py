"""Verdicts on outputs as they were, asked again, and dressed otherwise, in; what the judge is swayed by out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Literal

from judgekit.records import Verdict
from judgekit.trust.probes import Probe

if TYPE_CHECKING:
    from judgekit.stats import Estimate

LEVEL = 0.05
"""Chance of a false alarm that is accepted over all probes of one judge and rubric together."""
READABLE = ("pass", "fail", "scored")

Finding = Literal["biased", "unstable", "not shown", "too few", "noticed", "not noticed", "measured"]


@dataclass(frozen=True, slots=True)
class Probed:
    """One output under one probe."""

    case_id: str
    base: Verdict
    """As it was."""
    repeat: Verdict | None
    """As it was, asked again; None: was not."""
    now: Verdict
    """As dressed."""
    towards: int = 1

    @property
    def is_readable(self) -> bool:
        """True if there is something to compare."""
        return self.base.status in READABLE and self.now.status in READABLE


@dataclass(frozen=True, slots=True)
class ProbeResult:
    """What one probe says of one judge on one rubric."""

    probe: str
    n: int
    """Outputs with both verdicts readable."""
    n_unread: int
    n_cases: int
    """Cases behind the tests; outputs of one case are no independent ones."""
    n_movable: int
    """Cases whose score could move the way that would show the bias."""
    flips: int
    rate: Estimate
    """Share of verdicts that changed, with its interval over cases."""
    noise: Estimate | None
    """The same share when the unchanged output is only judged again; None where that was not asked."""
    up: int
    """Cases that moved the way of the bias."""
    down: int
    """Cases that moved the other way."""
    p_value: float | None
    """Exact test that moves go both ways alike."""
    p_adjusted: float | None
    """By Holm over the probes of this judge and rubric."""
    p_noise: float | None
    """Exact test that dressing flips no more verdicts than asking again."""
    finding: Finding
    sentence: str

    @property
    def record(self) -> dict[str, Any]:
        """All of it, JSON-ready."""
        row = {name: getattr(self, name) for name in self.__dataclass_fields__ if name not in ("rate", "noise")}
        return row | {"flip_rate": _estimate(self.rate), "noise": None if self.noise is None else _estimate(self.noise)}


def _estimate(one: Estimate) -> dict[str, Any]:
    kept = ("value", "low", "high", "level", "method", "n", "reason")
    return {name: value for name, value in asdict(one).items() if name in kept}


def outcome(verdict: Verdict) -> Any:
    """What counts as the verdict: passed or not, else the label, else the score."""
    if verdict.passed is not None:
        return verdict.passed
    return verdict.label if verdict.label is not None else verdict.score


def repeat_result(found: Sequence[Probed]) -> ProbeResult:
    """How often the same question gets another verdict: the noise floor of all probes.

    Args:
        found: Outputs with `now` as the verdict of the second call.
    """
    read = [one for one in found if one.is_readable]
    rate = _flip_rate(read)
    moves = _moves(read)
    up, down = sum(one > 0 for one in moves.values()), sum(one < 0 for one in moves.values())
    flips = sum(map(_flipped, read))
    said = f"asked again, {flips} of {len(read)} verdicts changed{_ends(rate)}" if read else "no verdict to compare"
    n_unread = len(found) - len(read)
    return ProbeResult(
        *("repeat", len(read), n_unread, len(moves), len(moves), flips, rate, None, up, down, None, None, None),
        finding="measured" if read else "too few",
        sentence=said,
    )


def probe_results(
    found: Mapping[str, Sequence[Probed]], probes: Iterable[Probe], bounds: tuple[float, float]
) -> list[ProbeResult]:
    """What each probe says of one judge on one rubric.

    A bias is shown by an exact sign test over the cases whose score moved, adjusted for the number of probes; that the
    judge is unstable under a probe, by more flips than asking again makes. Without either it is not shown, or there
    were too few cases for anything to be shown.

    Args:
        found: Outputs by name of the probe.
        probes: The probes, those without outputs included.
        bounds: Lowest and highest score of the rubric.
    """
    from judgekit.stats import holm

    probes = list(probes)
    raw = {one.name: _Raw.of(one, found.get(one.name, ()), bounds) for one in probes}
    tested = [name for name, one in raw.items() if one.p_value is not None]
    adjusted = dict(zip(tested, holm([raw[name].p_value or 0.0 for name in tested]).tolist(), strict=True))
    noisy = [name for name, one in raw.items() if one.p_noise is not None]
    against_noise = dict(zip(noisy, holm([raw[name].p_noise or 0.0 for name in noisy]).tolist(), strict=True))
    return [raw[one.name].result(adjusted.get(one.name), against_noise.get(one.name), len(probes)) for one in probes]


@dataclass(frozen=True, slots=True)
class _Raw:
    """One probe before its p-values are adjusted."""

    probe: Probe
    read: Sequence[Probed]
    n_unread: int
    n_cases: int
    n_movable: int
    up: int
    down: int
    p_value: float | None
    p_noise: float | None

    @classmethod
    def of(cls, probe: Probe, found: Sequence[Probed], bounds: tuple[float, float]) -> _Raw:
        read = [one for one in found if one.is_readable]
        moves = _moves(read)
        way = -1 if probe.must_fall else 1
        up = sum(way * one > 0 for one in moves.values())
        down = sum(way * one < 0 for one in moves.values())
        p_value = None
        if up + down:
            p_value = _two_sided(up, up + down) if probe.bias == "either" else upper_tail(up, up + down)
        p_noise = None if probe.must_fall else _against_noise(read)
        movable = len({one.case_id for one in read if _can_move(one, probe, bounds)})
        return cls(probe, read, len(found) - len(read), len(moves), movable, up, down, p_value, p_noise)

    def result(self, p_adjusted: float | None, p_noise: float | None, n_tests: int) -> ProbeResult:
        rate, noise = _flip_rate(self.read), _noise(self.read)
        finding, sentence = self._finding(p_adjusted, p_noise, n_tests, rate, noise)
        return ProbeResult(
            self.probe.name,
            len(self.read),
            self.n_unread,
            self.n_cases,
            self.n_movable,
            sum(map(_flipped, self.read)),
            rate,
            noise,
            self.up,
            self.down,
            self.p_value,
            p_adjusted,
            p_noise,
            finding,
            sentence,
        )

    def _finding(
        self, p_adjusted: float | None, p_noise: float | None, n_tests: int, rate: Estimate, noise: Estimate | None
    ) -> tuple[Finding, str]:
        probe = self.probe
        least = least_cases(n_tests, two_sided=probe.bias == "either")
        so, not_so = ("fell", "rose") if probe.must_fall else ("rose", "fell")
        moved = f"{self.up} of {self.n_cases} {_cases(self.n_cases)} {so}{probe.when}, {self.down} {not_so}"
        figures = f"{moved}{said_p(p_adjusted)}; {_flips(rate, noise, len(self.read))}"
        shown = p_adjusted is not None and p_adjusted <= LEVEL
        if shown:
            more = "higher" if self.up > self.down else "lower"
            said = probe.says.format(more=more)
            return ("noticed" if probe.must_fall else "biased"), f"the judge {said}: {figures}"
        deserved = probe.bias == "up" and self.down > self.up
        if p_noise is not None and p_noise <= LEVEL and not deserved:
            said = "the verdict changes more often than when only asked again, in no one direction"
            return "unstable", f"{said}: {figures}"
        if self.n_movable < least:
            way = "fall" if probe.must_fall else "rise" if probe.bias == "up" else "move"
            return "too few", (
                f"too few: the score could {way} in {self.n_movable} {_cases(self.n_movable)}, at least {least} are "
                f"needed to show anything; {figures}"
            )
        if probe.must_fall:
            return "not noticed", f"the judge is not shown to tell the answer of another case apart: {figures}"
        if deserved:
            return "not shown", f"not shown, scores rather fall, which may be deserved: {figures}"
        return "not shown", f"not shown: {figures}"


def least_cases(n_tests: int, *, two_sided: bool) -> int:
    """The fewest cases that can show anything: all of them moving one way, with the strictest adjustment.

    Example:
        >>> least_cases(1, two_sided=False), least_cases(7, two_sided=True)  # 0.5 ** 5 <= 0.05, 14 * 0.5 ** 9 <= 0.05
        (5, 9)
    """
    n = 1
    while (2 if two_sided else 1) * n_tests * 0.5**n > LEVEL:
        n += 1
    return n


def _can_move(one: Probed, probe: Probe, bounds: tuple[float, float]) -> bool:
    score = one.base.score
    if score is None:
        return False
    if probe.must_fall:
        return score > bounds[0]
    return probe.bias == "either" or score < bounds[1]


def _moves(read: Iterable[Probed]) -> dict[str, int]:
    """By case, which way its scores moved on the whole: 1, -1, or 0 for not at all."""
    sums: dict[str, float] = {}
    for one in read:
        moved = 0.0
        if one.now.score is not None and one.base.score is not None:
            moved = one.towards * (one.now.score - one.base.score)
        sums[one.case_id] = sums.get(one.case_id, 0.0) + moved
    return {case_id: (moved > 1e-9) - (moved < -1e-9) for case_id, moved in sums.items()}


def _flipped(one: Probed) -> bool:
    return bool(outcome(one.base) != outcome(one.now))


def _repeated(read: Iterable[Probed]) -> list[tuple[str, bool, bool]]:
    """Case, whether asking again flipped the verdict, whether dressing did; where both are known."""
    return [
        (one.case_id, bool(outcome(one.base) != outcome(one.repeat)), _flipped(one))
        for one in read
        if one.repeat is not None and one.repeat.status in READABLE
    ]


def _against_noise(read: Sequence[Probed]) -> float | None:
    """McNemar's exact test, one-sided, over cases: dressing flips where asking again does not."""
    sums: dict[str, int] = {}
    for case_id, again, dressed in _repeated(read):
        sums[case_id] = sums.get(case_id, 0) + dressed - again
    apart = [one for one in sums.values() if one]
    return upper_tail(sum(one > 0 for one in apart), len(apart)) if apart else None


def _flip_rate(read: Sequence[Probed]) -> Estimate:
    from judgekit.stats import mean_interval

    return mean_interval([float(_flipped(one)) for one in read], [one.case_id for one in read], bounds=(0, 1))


def _noise(read: Sequence[Probed]) -> Estimate | None:
    from judgekit.stats import mean_interval

    known = _repeated(read)
    if not known:
        return None
    return mean_interval([float(again) for _, again, _ in known], [case_id for case_id, _, _ in known], bounds=(0, 1))


def upper_tail(k: int, n: int) -> float:
    """One-sided exact p-value: the chance of k or more heads in n tosses of a fair coin."""
    from scipy.special import bdtrc

    return 1.0 if k == 0 else float(bdtrc(k - 1, n, 0.5))


def _two_sided(k: int, n: int) -> float:
    return min(1.0, 2 * upper_tail(max(k, n - k), n))


def said_p(p: float | None) -> str:
    """A p-value in brackets, for a sentence; nothing where there is none."""
    if p is None:
        return ""
    return " (p < 0.001)" if p < 0.001 else f" (p = {p:.3f})"


def _flips(rate: Estimate, noise: Estimate | None, n: int) -> str:
    if rate.value is None:
        return "no verdict to compare"
    said = f"{100 * rate.value:.0f} % of {n} verdicts changed{_ends(rate)}"
    if noise is None or noise.value is None:
        return said
    return f"{said}, {100 * noise.value:.0f} % when only asked again"


def _ends(one: Estimate) -> str:
    if one.low is None or one.high is None:
        return ""
    return f" [{100 * one.low:.0f} to {100 * one.high:.0f} %]"


def _cases(n: int) -> str:
    return "case" if n == 1 else "cases"

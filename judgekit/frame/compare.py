"""Variants of a run, or two runs, in; paired differences with what they rest on out.

A row of a comparison, as `comparisons` in summary.json holds it and `Comparison.rows` has it:

    suite, variant, against     who is compared: `variant` is the one in question, `against` the reference
    run, run_against            run ids where two runs are compared; null for two variants of one run
    who                         both in words, such as "v2 against v1"
    metric, kind, primary       `pass_rate` of kind `case`, or a check, rubric or judge; one primary metric per pair
    scale_min, scale_max        ends of the metric's scale; null for a DataFrame that states none
    n, n_clusters               paired cases; clusters they fall into, null where all are independent
    n_left_out, left_out        cases not paired: [{reason, n, case_ids (at most 20)}]
    value, value_against        means over the paired cases (rates 0 to 1)
    difference, ci_low, ci_high, level, interval_method
    method, p_value, p_adjusted, n_tests   the test; p adjusted by Holm for n_tests tests of the same family
    minimum_detectable_difference          what so many cases show four times in five; null without spread
    n_needed                    fewest cases, all changing alike, that could be significant
    wins, losses, ties          cases where `variant` has the higher, lower, same value
    pass_rate, pass_rate_against, newly_passing, newly_failing   of a metric with a threshold; else null
    margin, within_margin       the loss that was accepted, and whether more is ruled out (true, false, null)
    mismatch                    what is not the same in the two runs and was compared all the same; may be empty
    checks                      of kind `case`: checks whose cases differ, most lost first:
                                [{metric, n, wins, losses, p_value, p_adjusted (by Holm over these checks)}]
    verdict, reason, sentence   better, worse, no evidence of a difference, or not enough cases; why; in full
    regressions, improvements   [{case_id, value, value_against, reason, trial}], largest change first, at most 20
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from judgekit.errors import InputError
from judgekit.frame.comparing.asking import Margin, metrics_asked, metrics_of, raise_unknown
from judgekit.frame.comparing.deciding import decide_comparison
from judgekit.frame.comparing.definitions import Definitions, MetricChange, compare_cases
from judgekit.frame.comparing.differences import Asked, compare_all
from judgekit.frame.comparing.notes import counted, described, notes_of, nothing_common, refused_primary
from judgekit.frame.comparing.sides import Side, sides_of
from judgekit.frame.tables import ResultRow, RunData
from judgekit.frame.units import Unit

if TYPE_CHECKING:
    import pandas as pd

PAIRS_APART = "What was judged in pairs is compared within its run"
_LISTS = ("regressions", "improvements", "left_out", "checks")


@dataclass(frozen=True)
class Comparison:
    """Paired differences of variants or runs, one row per pair and metric, the primary metric first."""

    rows: tuple[dict[str, Any], ...]
    """As `comparisons` in summary.json."""
    notes: tuple[str, ...] = ()
    """What a reader has to know: what was not compared, and what was although it differs."""
    definitions: Mapping[str, Any] = field(default_factory=dict)
    """Two runs only: cases and metrics added, removed, changed or refused."""

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict of each row with the figures that it rests on."""
        return tuple(row["sentence"] for row in self.rows)

    def __str__(self) -> str:
        """The sentences and notes, one a line."""
        return "\n".join((*self.sentences, *(f"note: {note}" for note in self.notes)))

    @property
    def frame(self) -> pd.DataFrame:
        """The rows as a DataFrame, without the lists of cases."""
        return self.to_frame()

    def to_frame(self) -> pd.DataFrame:
        """The rows as a DataFrame, without the lists of cases."""
        import pandas as pd

        return pd.DataFrame([{key: value for key, value in row.items() if key not in _LISTS} for row in self.rows])

    def decide(self, *, require_better: bool = False) -> tuple[int, list[str]]:
        """Exit code and reasons: 1 on a significant regression, a loss beyond the margin, or "better" not shown."""
        return decide_comparison(self.rows, require_better=require_better)

    @property
    def document(self) -> dict[str, Any]:
        """All of it as JSON holds it."""
        return {"comparisons": list(self.rows), "definitions": dict(self.definitions), "notes": list(self.notes)}


def compare_variants(
    units: Sequence[Unit],
    results: Sequence[ResultRow],
    references: Mapping[str, str],
    *,
    clusters: Mapping[str, str] | None = None,
    primary: str | None = None,
    margin: Margin = None,
    pairs: Sequence[Mapping[str, Any]] = (),
) -> list[dict[str, Any]]:
    """The comparisons of every variant with the reference variant of its suites.

    Args:
        units: Every case × variant.
        results: Every row.
        references: Reference variant by suite, for suites with several variants.
        clusters: Cluster of each case; None: every case is independent.
        primary: Primary metric; None: the case pass rate where anything is required, else the first judged score.
        margin: Loss that is accepted.
        pairs: What pairs say of the same run: a variant and an opponent with a primary row there have none here.

    Returns:
        One mapping per variant and metric, as `comparisons` in summary.json: primary metric first.

    Raises:
        InputError: rows that stand there twice; no such metric.
    """
    in_pairs = {one["metric"] for one in pairs}
    if not references:
        if in_pairs:
            raise_unknown(primary, margin, (), (), in_pairs)
        return []
    answered = {(one["variant"], one["against"]) for one in pairs if one["primary"]}
    sides = sides_of(units, results)
    suites_of: dict[tuple[str, str], list[str]] = {}
    for suite, reference in references.items():
        for variant in dict.fromkeys(unit.variant for unit in units if unit.suite == suite):
            if variant != reference:
                suites_of.setdefault((variant, reference), []).append(suite)
    asked: list[Asked] = []
    for (variant, reference), suites in suites_of.items():
        names = {
            "suite": ";".join(suites),
            "variant": variant,
            "against": reference,
            "run": None,
            "run_against": None,
            "who": f"{variant} against {reference}",
        }
        case_ids = tuple(dict.fromkeys(unit.case_id for unit in units if unit.suite in suites))
        asked += metrics_asked(
            sides[variant],
            sides[reference],
            case_ids,
            names,
            primary=primary,
            margin=margin,
            informs=(variant, reference) in answered,
        )
    raise_unknown(primary, margin, asked, sides.values(), in_pairs)
    return compare_all(asked, clusters or {})


def compare_sides(
    sides: Mapping[str, Side],
    reference: str,
    *,
    clusters: Mapping[str, str] | None = None,
    primary: str | None = None,
    margin: Margin = None,
) -> list[dict[str, Any]]:
    """The comparisons of every side with one of them; arguments and rows as of `compare_variants`.

    Raises:
        InputError: no case in common; no such primary metric.
    """
    asked: list[Asked] = []
    old = sides[reference]
    for name, new in sides.items():
        if name == reference:
            continue
        case_ids = tuple(dict.fromkeys(one for side in (old, new) for rows in side.rows.values() for one in rows))
        who = f"{name} against {reference}"
        names = {"suite": "", "variant": name, "against": reference, "run": None, "run_against": None, "who": who}
        mine = metrics_asked(new, old, case_ids, names, primary=primary, margin=margin)
        if not any(one.pairs.case_ids for one in mine):
            raise InputError(f"{who}: no case has a score of the same metric in both.")
        asked += mine
    raise_unknown(primary, margin, asked, sides.values())
    return compare_all(asked, clusters or {})


def compare_runs(
    new: RunData,
    old: RunData,
    pairs: Sequence[tuple[str, str]],
    *,
    clusters: Mapping[str, str] | None = None,
    primary: str | None = None,
    margin: Margin = None,
    allow_mismatch: bool = False,
) -> Comparison:
    """The comparison of two runs on the cases that both ask alike.

    Args:
        new: The run in question.
        old: The run that it is compared with.
        pairs: Variants to compare, of the newer and of the older run.
        clusters: Cluster of each case; None: every case is independent.
        primary: Primary metric; None: the case pass rate where anything is required, else the first judged score.
        margin: Loss that is accepted.
        allow_mismatch: Whether metrics are compared although their definition or judge differs; rows then say so.

    Raises:
        InputError: no common cases; the primary metric means something else in the two runs; no such metric; a run
            that does not say what was asked, or holds a row twice.
    """
    changes = compare_cases(new.manifest, old.manifest)
    if not changes.same:
        raise InputError(nothing_common(new, old, changes))
    definitions = Definitions(new.manifest, old.manifest, changes.same)
    now, then = sides_of(new.units, new.results), sides_of(old.units, old.results)
    ids = (new.summary["run_id"], old.summary["run_id"])
    suite_of = {unit.case_id: unit.suite for unit in new.units}
    suites = ";".join(dict.fromkeys(suite_of[case_id] for case_id in changes.same if case_id in suite_of))
    asked: list[Asked] = []
    refused: dict[str, str] = {}
    partly: dict[str, MetricChange] = {}
    for variant, against in pairs:
        one = f"{variant} of {ids[0]}" if len(pairs) > 1 or variant != against else ids[0]
        two = f"{against} of {ids[1]}" if len(pairs) > 1 or variant != against else ids[1]
        names = {
            "suite": suites,
            "variant": variant,
            "against": against,
            "run": ids[0],
            "run_against": ids[1],
            "who": f"{one} against {two}",
        }
        changed = {}
        for metric in metrics_of(now[variant], then[against], changes.same, primary)[0]:
            change = definitions.change(metric, now[variant], then[against])
            if change is not None:
                changed[metric] = change
        mine = metrics_asked(
            now[variant],
            then[against],
            changes.same,
            names,
            primary=primary,
            margin=margin,
            changed={} if allow_mismatch else changed,
            mismatches=changed if allow_mismatch else {},
        )
        for item in mine:
            change = changed.get(item.pairs.metric)
            if change is None:
                asked.append(item)
            elif allow_mismatch or item.pairs.case_ids:
                asked.append(item)
                partly[item.pairs.metric[1]] = change
            else:
                refused[item.pairs.metric[1]] = change.why
                if item.primary:
                    raise InputError(refused_primary(item.pairs.metric, change, new, old))
    raise_unknown(primary, margin, asked, (*now.values(), *then.values()))
    in_pairs = [one.summary["run_id"] for one in (old, new) if any(row.against for row in one.results)]
    if not asked:
        apart = f" {PAIRS_APART}: judgekit compare {in_pairs[-1]}." if in_pairs else ""
        raise InputError(
            f"runs {ids[1]} and {ids[0]} have no metric in common on {counted(len(changes.same), 'case')} of both."
            f"{apart}"
        )
    said = described(changes, definitions, refused, partly)
    return Comparison(
        tuple(compare_all(asked, clusters or {})),
        (
            *notes_of(said, new, old, allow_mismatch),
            *(f"not compared: pairs of {one}. {PAIRS_APART}: judgekit compare {one}" for one in in_pairs),
        ),
        {"runs": list(ids), **said},
    )

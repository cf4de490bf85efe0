"""What is to be compared in; the runs found, their variants paired, and the comparison out."""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from judgekit.config import load_project
from judgekit.errors import InputError, did_you_mean
from judgekit.frame.canaries import is_canary
from judgekit.frame.compare import Comparison, compare_runs, compare_sides
from judgekit.frame.comparing.asking import Margin
from judgekit.frame.comparing.clusters import clusters_of
from judgekit.frame.comparing.sides import chosen_by_outcome, raise_repeated_outputs
from judgekit.frame.comparing.user_frames import frame_clusters, frame_sides
from judgekit.frame.pairwise import with_pairs
from judgekit.frame.tables import RunData
from judgekit.pipeline.result import Run
from judgekit.pipeline.stored import load_run

if TYPE_CHECKING:
    import pandas as pd


def compare(
    run: Run | str | Path | pd.DataFrame,
    other: Run | str | Path | None = None,
    *,
    by: str = "variant",
    against: str | None = None,
    primary: str | None = None,
    margin: float | Mapping[str, float] | None = None,
    cluster: str | None = None,
    allow_mismatch: bool = False,
) -> Comparison:
    """The paired differences of a run's variants from a reference variant, or of a run from an earlier one.

    Args:
        run: A run with several variants; with `other`, the earlier run; or a DataFrame of scores with the columns
            case_id, score and the one named by `by`, and perhaps metric, trial and judge.
        other: The later run, which is compared with the first one.
        by: What to compare by: `variant`; of a DataFrame any column.
        against: Reference variant; default the run's own. With two runs: the variant of the first one that every
            variant of the second is compared with; default the one of the same name.
        primary: Primary metric (`pass_rate` is the case pass rate); default the case pass rate where anything is
            required, else the first judged score.
        margin: Loss that is accepted: of the primary metric, in its own units (rates 0 to 1), or by metric.
        cluster: Variable of the cases (or context, input, reference, agent, file, suite) that names those which are
            not independent; default as the settings say, else as the run was scored. Of a DataFrame any column.
        allow_mismatch: Whether metrics of two runs are compared although their definition or judge differs.

    Returns:
        Comparison with `.rows` (one mapping per variant and metric), `.frame`, `.sentences`, `.notes` and `.decide()`.

    Raises:
        InputError: nothing to compare, or what can't be: one variant only, no such reference, metric or column, no
            common cases, a run that is still being written or whose cases were chosen by their outcome, rows that
            stand there twice, scores that are no numbers.
    """
    _check_margin(margin)
    if not isinstance(run, Run | str | Path):
        if other is not None:
            raise InputError("a DataFrame is compared by one of its columns: leave out the second run.")
        return _compare_frame(run, by, against, primary, margin, cluster)
    if by != "variant":
        raise InputError(f'compare by "variant", not by "{by}".')
    first = _data(run)
    if other is None:
        return _compare_variants(first, against, primary, margin, cluster)
    second = _data(other)
    if first.summary["run_id"] == second.summary["run_id"]:
        raise InputError(f"both runs are {first.summary['run_id']}: name two different ones.")
    return compare_runs(
        second,
        first,
        _variant_pairs(second, first, against),
        clusters=run_clusters(second, cluster),
        primary=primary,
        margin=margin,
        allow_mismatch=allow_mismatch,
    )


def run_clusters(data: RunData, column: str | None = None) -> dict[str, str]:
    """The cluster of each case of a run; empty if all are independent.

    Args:
        data: The run.
        column: What names the clusters; None: as the settings say, else as the run was scored.

    Raises:
        InputError: no case has such a column.
    """
    column = column or load_project().settings.cluster or data.manifest.get("cluster")
    return clusters_of(column, data.cases, data.outputs, where=f"run {data.summary['run_id']}") if column else {}


def _data(run: Run | str | Path) -> RunData:
    data = (run if isinstance(run, Run) else load_run(run)).data
    name = f"run {data.summary['run_id']}"
    raise_repeated_outputs(data.cases, name)
    chosen = chosen_by_outcome(data.manifest)
    if chosen is not None:
        raise InputError(
            f"{name} can't be compared: {chosen} chose its cases by how they came out, so a difference on them would "
            "come from the choice. Compare runs of all cases."
        )
    return data


def _check_margin(margin: Margin) -> None:
    for one in margin.values() if isinstance(margin, Mapping) else () if margin is None else (margin,):
        if isinstance(one, bool) or not isinstance(one, int | float) or not 0 <= one < math.inf:
            raise InputError(f"margin: the loss that is accepted is a number of at least 0, got {one!r:.40}.")


def _compare_variants(
    data: RunData, against: str | None, primary: str | None, margin: Margin, cluster: str | None
) -> Comparison:
    units = data.units
    names = list(dict.fromkeys(unit.variant for unit in units))
    opponents = list(dict.fromkeys(row.against for row in data.results if row.against))
    if against is not None and against not in (*names, *opponents):
        known = ", ".join(names)
        raise InputError(f'there is no variant "{against}"; there are {known}.{did_you_mean(against, names)}')
    references: dict[str, str] = {}
    for suite in dict.fromkeys(unit.suite for unit in units):
        mine = list(dict.fromkeys(unit.variant for unit in units if unit.suite == suite))
        own = next((one["against"] for one in data.manifest["suites"] if one["name"] == suite), None)
        if len(mine) > 1:
            references[suite] = against if against in mine else own or mine[0]
    rows = with_pairs(
        units,
        data.results,
        references,
        [one for one in data.verdicts if not is_canary(one)],
        against=against,
        clusters=run_clusters(data, cluster),
        primary=primary,
        margin=margin,
    )
    rows = [one for one in rows if against in (None, one["against"])]
    if not rows and not references:
        raise InputError(f"the run has one variant only ({', '.join(names)}): there is nothing to compare.")
    if not rows and against is not None and opponents:
        raise InputError(
            f'nothing to compare: the run was judged in pairs, and none is against "{against}"; there are pairs '
            f"against {', '.join(opponents)}."
        )
    if not rows:
        raise InputError("nothing to compare: no case has a result of any metric for two variants.")
    notes = ("the run is partial: it was stopped before all was done",) if data.summary.get("partial") else ()
    return Comparison(tuple(rows), notes)


def _variant_pairs(new: RunData, old: RunData, against: str | None) -> list[tuple[str, str]]:
    mine, theirs = (list(dict.fromkeys(unit.variant for unit in one.units)) for one in (new, old))
    if against is not None:
        if against not in theirs:
            known = ", ".join(theirs)
            hint = did_you_mean(against, theirs)
            raise InputError(f'run {old.summary["run_id"]} has no variant "{against}"; it has {known}.{hint}')
        return [(name, against) for name in mine]
    common = [name for name in mine if name in theirs]
    if common:
        return [(name, name) for name in common]
    if len(mine) == len(theirs) == 1:
        return [(mine[0], theirs[0])]
    raise InputError(
        f"runs {old.summary['run_id']} ({', '.join(theirs)}) and {new.summary['run_id']} ({', '.join(mine)}) have no "
        "variant in common; say with `against` which one of the first to compare with."
    )


def _compare_frame(
    frame: Any, by: str, against: str | None, primary: str | None, margin: Margin, cluster: str | None
) -> Comparison:
    if "pandas" not in sys.modules or not hasattr(frame, "to_dict"):
        raise InputError(f"compare takes a run, its name or a DataFrame, not {type(frame).__name__}.")
    sides = frame_sides(frame, by)
    names = list(sides)
    against = None if against is None else str(against)
    if against is not None and against not in names:
        raise InputError(f'there is no {by} "{against}"; there are {", ".join(names)}.{did_you_mean(against, names)}')
    if len(names) < 2:
        raise InputError(f"the frame has one {by} only ({', '.join(names)}): there is nothing to compare.")
    reference = names[0] if against is None else against
    clusters = {} if cluster is None else frame_clusters(frame, cluster)
    return Comparison(tuple(compare_sides(sides, reference, clusters=clusters, primary=primary, margin=margin)))

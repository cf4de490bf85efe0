"""CPU seconds and peak memory of a large comparison: 10,000 cases, five variants, six metrics, bootstrap included.

python tests/bench/bench_compare.py
"""

from __future__ import annotations

import random
import resource
import time

from judgekit.frame.compare import compare_variants
from judgekit.frame.comparing.sides import sides_of
from judgekit.frame.tables import ResultRow
from judgekit.frame.units import Unit

CASES, VARIANTS = 10_000, ("v1", "v2", "v3", "v4", "v5")
JUDGED = ("helpfulness", "correctness", "tone", "safety")


def made() -> tuple[list[Unit], list[ResultRow]]:
    """Units and rows of a run: one required check, one deterministic rubric, four judged ones with holes."""
    draw = random.Random(0)
    empty = ResultRow._make([None] * len(ResultRow._fields))
    base = empty._replace(run_id="bench", trial=0, agent="", against="", reason="", flags="", tags="", required=False)
    units, rows = [], []
    for number in range(CASES):
        case_id, hardness = f"case-{number}", draw.random()
        for place, variant in enumerate(VARIANTS):
            passed = draw.random() > 0.3 * hardness - 0.005 * place
            units.append(
                Unit(case_id, "bench", variant, "pass" if passed else "fail", 1, int(passed), 0, False, None, "")
            )
            one = base._replace(case_id=case_id, variant=variant)
            rows.append(
                one._replace(
                    kind="check",
                    metric="contains",
                    required=True,
                    status="pass" if passed else "fail",
                    passed=passed,
                    score=float(passed),
                    scale_min=0.0,
                    scale_max=1.0,
                )
            )
            rows.append(
                one._replace(
                    kind="rubric",
                    metric="source_coverage",
                    status="scored",
                    score=draw.random(),
                    scale_min=0.0,
                    scale_max=1.0,
                )
            )
            judged = one._replace(kind="judge", judge="m", judge_identity="i", scale_min=1.0, scale_max=5.0)
            for metric in JUDGED:
                if passed and draw.random() > 0.02:
                    score = float(draw.randint(1, 5))
                    rows.append(judged._replace(metric=metric, status="scored", score=score))
                else:
                    rows.append(judged._replace(metric=metric, status="skipped", cause="check:contains"))
    return units, rows


def main() -> None:
    """Print one line; the project's own bound is 3 s and 300 MB."""
    units, rows = made()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    start = time.process_time()
    sides_of(units, rows)
    grouped = time.process_time() - start
    start = time.process_time()
    found = compare_variants(units, rows, {"bench": "v1"})
    seconds = time.process_time() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    boot = sum("bootstrap" in one["interval_method"] for one in found)
    print(
        f"{len(found)} comparisons ({boot} bootstrapped) of {CASES} cases, {len(rows)} rows: {seconds:.2f} s CPU "
        f"(at most 3; {grouped:.2f} of them to group the rows), peak {peak:.0f} MB (at most 300; {before:.0f} of them "
        "the rows themselves)"
    )


if __name__ == "__main__":
    main()

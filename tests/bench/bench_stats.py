"""Seconds and peak memory of a large comparison: 10,000 cases, five variants, six metrics, bootstrap included.

python tests/bench/bench_stats.py
"""

import resource
import time

import numpy as np

from judgekit import stats


def main() -> None:
    """Print one line; the project's own bound is 3 s and 300 MB."""
    draw = np.random.default_rng(0)
    reference, others = draw.random((10_000, 6)), draw.random((10_000, 24))
    start = time.perf_counter()
    against = np.tile(reference, 4)
    intervals = stats.bootstrap_intervals(others - against)
    tests = stats.sign_flip_tests(others, against)
    adjusted = stats.holm([one.p_value for one in tests])
    for column in range(24):
        stats.difference_verdict(
            others[:, column], against[:, column], test=tests[column], adjusted_p=float(adjusted[column])
        )
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        f"{len(intervals)} differences of 10,000 cases: {seconds:.2f} s (at most 3), peak {peak:.0f} MB (at most 300)"
    )


if __name__ == "__main__":
    main()

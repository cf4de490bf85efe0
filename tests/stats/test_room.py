"""The room as a whole: what importing it loads, how fast it is, and what other implementations say."""

from __future__ import annotations

import importlib
import subprocess
import sys

import numpy as np
import pytest

from judgekit import stats


def loaded_after(code: str) -> set[str]:
    """Which of numpy, scipy.special and scipy.stats a new interpreter has loaded after `code`."""
    ask = (
        "import sys; print(*[one for one in ('numpy', 'scipy.special', 'scipy.stats', 'pandas') if one in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", f"{code}\n{ask}"], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_the_room_loads_nothing_heavy() -> None:
    assert loaded_after("import judgekit.stats") == set()


def test_a_wilson_interval_needs_no_scipy() -> None:
    assert loaded_after("from judgekit.stats import wilson_interval; wilson_interval(1, 2)") == {"numpy"}


def test_no_function_of_the_room_loads_scipy_stats() -> None:
    code = """
from judgekit.stats import *
mean_interval([1, 2, 3]); paired_difference([1, 2], [2, 4]); mcnemar(1, 2); holm([0.1])
difference_verdict([1, 2, 4], [2, 2, 1]); cohen_kappa("ab ab".split(), "ab b".split()); bootstrap_interval([1, 2, 3])
correlation([1, 2, 3, 4, 6], [2, 1, 3, 4, 5], kind="kendall"); williams_test([1, 2, 3, 4], [2, 1, 4, 3], [1, 3, 2, 4])
"""
    assert loaded_after(code) == {"numpy", "scipy.special"}


def test_public_names_are_sorted_and_exist() -> None:
    assert stats.__all__ == sorted(stats.__all__)
    assert all(getattr(stats, one).__module__.startswith("judgekit.stats.") for one in stats.__all__)


def test_a_wrong_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="wilson"):
        stats.wilson  # noqa: B018


def test_no_module_and_function_share_a_name() -> None:
    for name in stats.__all__:
        with pytest.raises(ModuleNotFoundError):
            importlib.import_module(f"judgekit.stats.{name}")


def test_scikit_learn_and_statsmodels_agree() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="a development-only oracle")
    proportion = pytest.importorskip("statsmodels.stats.proportion", reason="a development-only oracle")
    multitest = pytest.importorskip("statsmodels.stats.multitest", reason="a development-only oracle")
    rng = np.random.default_rng(0)
    a, b = rng.integers(1, 6, 200), rng.integers(1, 6, 200)
    for weights, name in (("nominal", None), ("linear", "linear"), ("quadratic", "quadratic")):
        ours = stats.cohen_kappa(a, b, weights=weights)
        assert ours.value == pytest.approx(metrics.cohen_kappa_score(a, b, weights=name))
    for interval, name in ((stats.wilson_interval, "wilson"), (stats.exact_interval, "beta")):
        one = interval(17, 40)
        assert (one.low, one.high) == pytest.approx(proportion.proportion_confint(17, 40, method=name))
    p = rng.random(30) ** 3
    assert stats.holm(p) == pytest.approx(multitest.multipletests(p, method="holm")[1])
    assert stats.benjamini_hochberg(p) == pytest.approx(multitest.multipletests(p, method="fdr_bh")[1])


def test_scipy_agrees() -> None:
    scipy_stats = pytest.importorskip("scipy.stats")
    rng = np.random.default_rng(1)
    a, b = rng.integers(0, 6, 60).astype(float), rng.integers(0, 6, 60).astype(float)
    wilcoxon = scipy_stats.wilcoxon(a, b, zero_method="pratt").pvalue
    assert stats.wilcoxon_signed_rank(a, b).p_value == pytest.approx(wilcoxon)
    assert stats.correlation(a, b, kind="kendall").value == pytest.approx(scipy_stats.kendalltau(a, b).statistic)
    assert stats.correlation(a, b, kind="spearman").value == pytest.approx(scipy_stats.spearmanr(a, b).statistic)
    bca = scipy_stats.bootstrap((a,), np.mean, method="BCa", random_state=2).confidence_interval
    ours = stats.bootstrap_interval(a, resamples=9999)
    assert (ours.low, ours.high) == pytest.approx((bca.low, bca.high), abs=0.03)  # both are random in the third digit

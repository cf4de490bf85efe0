"""Statistics of evaluations: plain functions of arrays in, frozen results out.

Nothing is imported until it is asked for: numpy and scipy take longer to load than a short run of checks.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from judgekit.stats.agreement import cohen_kappa, fleiss_kappa, gwet_ac1, gwet_ac2
    from judgekit.stats.alpha import krippendorff_alpha
    from judgekit.stats.classification import Confusion, confusion
    from judgekit.stats.correction import corrected_rate, product_rate
    from judgekit.stats.correlations import correlation, correlation_within, williams_test
    from judgekit.stats.hit_rates import rogan_gladen
    from judgekit.stats.intervals import exact_interval, mean_interval, stratified_mean, wilson_interval
    from judgekit.stats.multiple import benjamini_hochberg, holm
    from judgekit.stats.paired import (
        mcnemar,
        paired_bootstrap,
        paired_difference,
        sign_flip_test,
        sign_flip_tests,
        wilcoxon_signed_rank,
    )
    from judgekit.stats.paired_rates import paired_rate_difference
    from judgekit.stats.pairs import PositionBias, SwapVerdict, position_bias, swap_verdict, win_rate
    from judgekit.stats.power import (
        minimum_detectable_difference,
        minimum_detectable_rate_difference,
        non_inferiority,
        sample_size,
        sd_of_rate_difference,
    )
    from judgekit.stats.prediction import ppi_mean
    from judgekit.stats.repeats import pass_at_k, pass_hat_k
    from judgekit.stats.resampling import bootstrap_interval, bootstrap_intervals
    from judgekit.stats.results import Estimate, Test
    from judgekit.stats.variance import VarianceSplit, variance_split
    from judgekit.stats.verdicts import Difference, difference_verdict

_HOMES = {
    "agreement": ("cohen_kappa", "fleiss_kappa", "gwet_ac1", "gwet_ac2"),
    "alpha": ("krippendorff_alpha",),
    "classification": ("Confusion", "confusion"),
    "correction": ("corrected_rate", "product_rate"),
    "correlations": ("correlation", "correlation_within", "williams_test"),
    "hit_rates": ("rogan_gladen",),
    "intervals": ("exact_interval", "mean_interval", "stratified_mean", "wilson_interval"),
    "multiple": ("benjamini_hochberg", "holm"),
    "paired": (
        "mcnemar",
        "paired_bootstrap",
        "paired_difference",
        "sign_flip_test",
        "sign_flip_tests",
        "wilcoxon_signed_rank",
    ),
    "paired_rates": ("paired_rate_difference",),
    "pairs": ("PositionBias", "SwapVerdict", "position_bias", "swap_verdict", "win_rate"),
    "power": (
        "minimum_detectable_difference",
        "minimum_detectable_rate_difference",
        "non_inferiority",
        "sample_size",
        "sd_of_rate_difference",
    ),
    "prediction": ("ppi_mean",),
    "repeats": ("pass_at_k", "pass_hat_k"),
    "resampling": ("bootstrap_interval", "bootstrap_intervals"),
    "results": ("Estimate", "Test"),
    "variance": ("VarianceSplit", "variance_split"),
    "verdicts": ("Difference", "difference_verdict"),
}

__all__ = [
    "Confusion",
    "Difference",
    "Estimate",
    "PositionBias",
    "SwapVerdict",
    "Test",
    "VarianceSplit",
    "benjamini_hochberg",
    "bootstrap_interval",
    "bootstrap_intervals",
    "cohen_kappa",
    "confusion",
    "corrected_rate",
    "correlation",
    "correlation_within",
    "difference_verdict",
    "exact_interval",
    "fleiss_kappa",
    "gwet_ac1",
    "gwet_ac2",
    "holm",
    "krippendorff_alpha",
    "mcnemar",
    "mean_interval",
    "minimum_detectable_difference",
    "minimum_detectable_rate_difference",
    "non_inferiority",
    "paired_bootstrap",
    "paired_difference",
    "paired_rate_difference",
    "pass_at_k",
    "pass_hat_k",
    "position_bias",
    "ppi_mean",
    "product_rate",
    "rogan_gladen",
    "sample_size",
    "sd_of_rate_difference",
    "sign_flip_test",
    "sign_flip_tests",
    "stratified_mean",
    "swap_verdict",
    "variance_split",
    "wilcoxon_signed_rank",
    "williams_test",
    "wilson_interval",
    "win_rate",
]


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"judgekit.stats.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)

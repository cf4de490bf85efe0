"""The sentence on a variant that nothing is compared with."""

from __future__ import annotations

import pytest

from judgekit.frame.alone import alone
from judgekit.frame.summary import estimates
from judgekit.frame.units import Unit


def said(passed: int, n: int, variants: tuple[str, ...] = ("default",)):
    units = [
        Unit(f"c{at}", "s", variant, "pass" if at < passed else "fail", 1, int(at < passed), 0, False, None, "")
        for variant in variants
        for at in range(n)
    ]
    return alone(units, estimates([], units))


def test_few_cases_say_what_they_could_detect():
    # At least six of ten have to differ: P(Binomial(10, 0.673) >= 6) = 0.8.
    found = said(8, 10)

    assert found["detectable"] == pytest.approx(0.673, abs=0.001)
    assert found["sentence"] == (
        "8 of 10 cases pass, 95 % interval 49 to 94 %; "
        "another variant would have to differ by 67 points to show on so few cases."
    )


def test_all_passing_promises_no_certainty():
    # P(Binomial(20, 0.367) >= 6) = 0.8
    assert said(20, 20)["detectable"] == pytest.approx(0.367, abs=0.001)


@pytest.mark.parametrize("n", [1, 5])
def test_under_six_cases_nothing_could_show(n):
    found = said(n, n)

    assert found["detectable"] is None
    assert found["sentence"].endswith("on so few cases no difference to another variant could show, that takes six.")


def test_thirty_cases_need_no_warning():
    # Wilson for 24 of 30.
    assert said(24, 30)["sentence"] == "24 of 30 cases pass, 95 % interval 63 to 90 %."


def test_two_variants_have_a_comparison_instead():
    assert said(1, 2, ("v1", "v2")) is None

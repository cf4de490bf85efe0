from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from judgekit import stats
from judgekit.errors import InputError, ShapeError

PAIRS = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30)


def test_kappa_of_four_cases() -> None:
    # p_o = 3/4; p_e = 1/4*1/4 + 1/4*1/2 + 1/2*1/4 = 5/16; kappa = (3/4 - 5/16) / (11/16)
    one = stats.cohen_kappa(["a", "b", "c", "c"], ["a", "b", "c", "b"])
    assert (one.value, one.detail["observed"]) == (pytest.approx(7 / 11), 0.75)


def test_kappa_of_one_label_is_undefined() -> None:
    one = stats.cohen_kappa(["pass"] * 5, ["pass"] * 5)
    assert (one.value, one.low, one.detail["observed"]) == (None, None, 1.0)
    assert one.reason == "undefined: only one label was used, by both raters"


def test_kappa_of_two_constant_raters_who_differ_is_chance() -> None:
    assert stats.cohen_kappa(["a", "a"], ["b", "b"]).value == 0


@given(PAIRS)
def test_kappa_is_symmetric_and_relabelling_changes_nothing(pairs: list[tuple[str, str]]) -> None:
    a, b = zip(*pairs, strict=True)
    names = {"a": "z", "b": "x", "c": "y"}
    one = stats.cohen_kappa(a, b).value
    for other in (stats.cohen_kappa(b, a), stats.cohen_kappa([names[i] for i in a], [names[i] for i in b])):
        assert other.value == (None if one is None else pytest.approx(one))


@given(PAIRS)
def test_coefficients_stay_between_minus_one_and_one(pairs: list[tuple[str, str]]) -> None:
    a, b = zip(*pairs, strict=True)
    for one in (stats.cohen_kappa(a, b), stats.gwet_ac1(a, b), stats.krippendorff_alpha(pairs, "nominal")):
        assert one.value is None or -1 - 1e-12 <= one.value <= 1
        assert one.low is None or -1 <= one.low <= one.value <= one.high <= 1
        assert one.low is not None or one.reason


def test_weighted_kappa_by_hand() -> None:
    # scores (1,1), (2,3), (3,3), (1,1): squared distances 0, 1, 0, 0, mean 1/4.
    # By chance: rows 1: 2/4, 2: 1/4, 3: 1/4; columns 1: 2/4, 3: 2/4;
    # 1-3: 1/4 * 4; 2-1: 1/8 * 1; 2-3: 1/8 * 1; 3-1: 1/8 * 4: sum 7/4. kappa = 1 - (1/4) / (7/4)
    one = stats.cohen_kappa([1, 2, 3, 1], [1, 3, 3, 1], weights="quadratic")
    assert one.value == pytest.approx(6 / 7)


def test_words_need_a_scale_to_be_weighted() -> None:
    with pytest.raises(InputError, match="pass `scale`"):
        stats.cohen_kappa(["bad", "good"], ["good", "good"], weights="linear")


def test_words_are_weighted_by_their_place_on_the_whole_scale() -> None:
    scale = ["bad", "fair", "good"]
    words = stats.cohen_kappa(["bad", "good", "bad"], ["bad", "good", "good"], weights="linear", scale=scale)
    numbers = stats.cohen_kappa([0, 2, 0], [0, 2, 2], weights="linear")
    assert words.value == pytest.approx(numbers.value)


def test_a_label_off_the_scale_is_refused() -> None:
    with pytest.raises(InputError, match="'great' is not on the scale"):
        stats.cohen_kappa(["bad"], ["great"], scale=["bad", "good"])


def test_a_missing_label_is_refused_with_its_place() -> None:
    with pytest.raises(InputError, match="b: the label at position 1"):
        stats.cohen_kappa(["a", "b"], ["a", None])


def test_full_agreement_is_not_certainty() -> None:
    # p_e = 1/2: kappa = 1 - share / (1/2), and a share of 1 - 0.05^(1/10) of disagreements is not excluded.
    one = stats.cohen_kappa(["a", "b"] * 5, ["a", "b"] * 5)
    assert (one.value, one.high) == (1, 1)
    assert one.low == pytest.approx(1 - 2 * (1 - 0.05 ** (1 / 10)))


def test_a_value_that_hangs_on_one_case_has_no_interval() -> None:
    one = stats.cohen_kappa(["a", "a", "a", "b"], ["a", "a", "a", "b"])
    assert (one.value, one.low) == (1, None)
    assert "hangs on a single case" in one.reason


def test_ac1_by_hand() -> None:
    # p_o = 3/4; rates 7/8 and 1/8: p_e = 2 * 7/8 * 1/8 / (2 - 1) = 7/32; (3/4 - 7/32) / (25/32) = 17/25
    assert stats.gwet_ac1(["a", "a", "a", "b"], ["a"] * 4).value == pytest.approx(17 / 25)


def test_ac1_stays_high_where_one_label_is_rare() -> None:
    a, b = ["p"] * 98 + ["f", "p"], ["p"] * 98 + ["p", "f"]
    assert stats.gwet_ac1(a, b).value > 0.97
    assert stats.cohen_kappa(a, b).value < 0


def test_ac1_of_one_label_depends_on_what_else_could_have_been() -> None:
    assert stats.gwet_ac1(["p"] * 5, ["p"] * 5).value is None
    assert stats.gwet_ac1(["p"] * 5, ["p"] * 5, scale=["p", "f"]).value == 1


def test_ac2_with_missing_ratings() -> None:
    # irrCAC 0.4.4: CAC(table, weights="linear").gwet() gives 0.70083, pa 0.875
    table = [[1, 2, None], [3, 3, 3], [5, 4, 5], [2, None, 2], [4, 4, 2], [None, 1, 1]]
    one = stats.gwet_ac2(table, weights="linear")
    assert one.value == pytest.approx(0.70083, abs=5e-6)
    assert one.detail["observed"] == pytest.approx(0.875)


def test_fleiss_kappa_by_hand() -> None:
    # three raters, P = (1, 1/3, 1/3) mean 5/9; rates 5/9 and 4/9: P_e = 41/81; (45 - 41) / (81 - 41)
    one = stats.fleiss_kappa([["a", "a", "a"], ["a", "b", "b"], ["a", "b", "b"]])
    assert one.value == pytest.approx(1 / 10)


def test_fleiss_kappa_wants_equally_many_ratings() -> None:
    with pytest.raises(ShapeError, match="krippendorff_alpha"):
        stats.fleiss_kappa([["a", "a"], ["a", None]])


def test_alpha_of_krippendorffs_own_example() -> None:
    # Hayes and Krippendorff's reliability data of four observers and twelve units: nominal .743, ordinal .815,
    # interval .849, ratio .797.
    nan = float("nan")
    observers = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, nan, nan, nan],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, nan, 3],
        [nan, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, nan],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, nan],
    ]
    ratings = np.array(observers).T
    found = {one: round(stats.krippendorff_alpha(ratings, one).value, 3) for one in LEVELS}
    assert found == {"nominal": 0.743, "ordinal": 0.815, "interval": 0.849, "ratio": 0.797}


LEVELS = ("nominal", "ordinal", "interval", "ratio")


@pytest.mark.parametrize("level", LEVELS)
def test_alpha_of_one_value_is_undefined(level) -> None:
    one = stats.krippendorff_alpha([[3, 3], [3, 3]], level)
    assert (one.value, one.reason) == (None, "undefined: only one value was used")


def test_alpha_without_a_case_of_two_ratings_is_undefined() -> None:
    assert stats.krippendorff_alpha([[1, None], [None, 2]], "nominal").reason == "no case that two raters rated"


@given(PAIRS)
def test_alpha_is_fleiss_kappa_with_a_correction_for_few_ratings(pairs: list[tuple[str, str]]) -> None:
    # 1 - alpha = (1 - kappa) (N - 1) / N for N ratings of equally many raters
    alpha, kappa = stats.krippendorff_alpha(pairs, "nominal").value, stats.fleiss_kappa(pairs).value
    n = 2 * len(pairs)
    assert alpha is None if kappa is None else 1 - alpha == pytest.approx((1 - kappa) * (n - 1) / n)


def test_too_many_values_are_no_categories() -> None:
    scores = [one / 1000 for one in range(500)]
    with pytest.raises(InputError, match="use a correlation"):
        stats.cohen_kappa(scores, scores)


def test_cases_of_several_trials_widen_the_interval() -> None:
    a, b = ["p", "p", "f", "f", "p", "f"] * 5, ["p", "f", "f", "f", "p", "p"] * 5
    alone, clustered = stats.cohen_kappa(a, b), stats.cohen_kappa(a, b, [0, 1, 2, 3, 4, 5] * 5)
    assert clustered.value == alone.value
    assert clustered.n == 6
    assert clustered.high - clustered.low > alone.high - alone.low


def test_confusion_by_hand() -> None:
    table = stats.confusion(["pass", "pass", "pass", "fail"], ["pass", "pass", "fail", "fail"])
    assert (table.names, table.table) == (("fail", "pass"), ((1, 0), (1, 2)))
    assert (table.recall("pass").value, table.recall("fail").value) == (pytest.approx(2 / 3), 1)
    assert (table.precision("fail").value, table.f1("fail")) == (0.5, pytest.approx(2 / 3))
    assert table.base_rate("pass").value == 0.75


def test_specificity_without_a_failing_case_is_undefined() -> None:
    table = stats.confusion(["pass", "pass"], ["pass", "fail"], scale=["fail", "pass"])
    assert (table.recall("fail").value, table.recall("fail").reason) == (None, "people gave no case the label 'fail'")

"""Standings and rules in, the decision out: every rule kind, three-valued, and exact at the edge."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

# ------------------------------------------------------------------------------------------------ the default gate


@pytest.mark.parametrize(
    ("cases", "code"),
    [
        ("ppp", 0),
        ("ppf", 1),
        ("ppe", 3),
        ("pfe", 1),  # a failed rule wins over an undecided one
        ("ppn", 0),
        ("ppN", 1),  # a negative fixture that passed its checks
        ("ps", 0),
        ("s", 0),
    ],
)
def test_by_default_every_case_has_to_pass(gate, cases, code):
    assert gate({}, cases).exit_code == code


def test_the_reason_names_what_fails_and_what_has_no_result(gate):
    reasons = gate({}, "pfe").reasons

    assert reasons[0] == "every case passes: 1 of 3 do; failing: c1; without a result: c2"


def test_negative_fixtures_that_failed_are_told_apart_from_cases_that_passed(gate):
    assert gate({}, "ppn").reasons == ("every case passes: 3 of 3 do, 1 of them by failing as they should",)


def test_one_unnamed_variant_needs_no_name_and_several_do(gate, make):
    several = [*make.units("p"), *make.units("p", variant="v2")]

    assert gate({}, "p").reasons == ("every case passes: 1 of 1 do",)
    assert gate({}, several).reasons == (
        "every case passes: 1 of 1 do (default)",
        "every case passes: 1 of 1 do (v2)",
    )


def test_a_long_list_of_failing_cases_is_cut_with_its_count(gate):
    assert gate({}, "f" * 8).reasons[0].endswith("failing: c0, c1, c2, c3, c4 and 3 more")


def test_cases_that_are_only_read_leave_nothing_to_decide(gate):
    decision = gate({}, "ss")

    assert (decision.passed, decision.rules) == (True, ())
    assert decision.reasons == ("there is nothing to decide: no gated case has an expectation",)


def test_the_reference_variant_is_not_gated(gate, make):
    cases = make.units("ff", variant="v1") + make.units("pp", variant="v2")

    assert gate({}, cases, gated=["v2"]).passed


def test_each_gated_variant_has_to_hold(gate, make):
    cases = make.units("pp", variant="v2") + make.units("pf", variant="v3")

    assert [(one["variant"], one["outcome"]) for one in gate({}, cases).rules] == [("v2", "holds"), ("v3", "fails")]


# ------------------------------------------------------------------------------------------------------- pass_rate


@pytest.mark.parametrize(
    ("cases", "outcome"),
    [
        ("pppp", "holds"),  # 4/4
        ("pppf", "holds"),  # 3/4 meets 0.75 exactly
        ("ppff", "fails"),  # 2/4
        ("ppfe", "undecided"),  # 2/4, and 3/4 if the last one passed
        ("pffe", "fails"),  # at best 2/4
        ("pppe", "holds"),  # at least 3/4 whatever comes of the last one
    ],
)
def test_a_pass_rate_is_decided_over_every_way_the_open_cases_could_end(gate, cases, outcome):
    rules = {one["rule"]: one["outcome"] for one in gate({"pass_rate": ">= 0.75"}, cases).rules}

    assert rules["pass_rate >= 0.75"] == outcome


def test_the_rate_counts_selected_cases_and_not_scored_ones(gate):
    # 1 of 2 selected cases passed; 1 of 1 scored.
    decision = gate({"pass_rate": ">= 0.9"}, "pe")

    assert decision.exit_code == 3
    assert "between 0.5 and 1 (1 of 2, 1 without a result)" in decision.reasons[0]


def test_negative_fixtures_enter_no_rate(gate):
    # 1 of 2: the two negatives that failed as they should would make it 3 of 4.
    assert gate({"pass_rate": ">= 0.75"}, "pfnn").exit_code == 1


def test_a_negative_fixture_that_passes_fails_the_gate_beside_any_rate(gate):
    decision = gate({"pass_rate": ">= 0.5"}, "ppN")

    assert decision.exit_code == 1
    assert decision.reasons[0] == "every negative fixture fails: 0 of 1 do; failing: c2"


def test_where_there_are_only_negative_fixtures_no_rate_is_asked(gate):
    assert gate({"pass_rate": ">= 1", "case_pass_rate": ">= 1", "pass_hat_2": ">= 1"}, "nn").exit_code == 0


def test_fail_under_stands_in_place_of_every_case(gate):
    assert gate({}, "pppf", fail_under="0.75").exit_code == 0


def test_fail_under_is_shown_as_it_was_given(gate):
    # Four decimals would show 0.99999 as 1.
    assert gate({}, "pf", fail_under="0.99999").reasons[0] == "pass_rate >= 0.99999: 0.5 (1 of 2)"


# ------------------------------------------------------------------------------------------- case_pass_rate, pass^k


def test_a_case_that_fails_too_often_is_not_hidden_by_the_others(gate, make):
    # 26 of 30 trials pass, and the case c passes 6 of 10.
    cases = [
        make.unit("a", "pass", n=10, passed=10),
        make.unit("b", "pass", n=10, passed=10),
        make.unit("c", "pass", n=10, passed=6),
    ]

    decision = gate({"case_pass_rate": ">= 0.8"}, cases)

    assert decision.exit_code == 1
    assert decision.reasons[0] == "case_pass_rate >= 0.8: 2 of 3 cases reach it; not: c 6 of 10"


@pytest.mark.parametrize(("passed", "open_", "code"), [(4, 0, 0), (3, 1, 3), (2, 1, 1)])
def test_a_case_pass_rate_is_three_valued(gate, make, passed, open_, code):
    case = make.unit("a", "error" if open_ else "pass", n=5, passed=passed, open_=open_)

    assert gate({"case_pass_rate": ">= 0.8"}, [case]).exit_code == code


def test_pass_hat_k_is_the_chance_that_k_trials_all_pass(gate, make):
    # C(4,2)/C(5,2) = 6/10 and C(5,2)/C(5,2) = 1: the mean is 8/10.
    cases = [make.unit("a", "fail", n=5, passed=4), make.unit("b", "pass", n=5, passed=5)]

    assert gate({"pass_hat_2": ">= 0.8"}, cases).exit_code == 0
    assert gate({"pass_hat_2": ">= 0.81"}, cases).exit_code == 1


def test_pass_hat_k_wants_k_trials_of_every_case(gate, make):
    decision = gate({"pass_hat_3": ">= 0.5"}, [make.unit("a", "pass", n=1), make.unit("b", "pass", n=3)])

    assert decision.exit_code == 3
    assert decision.reasons[0] == "pass_hat_3 >= 0.5: 1 of 2 cases have fewer than 3 trials (--trials 3)"


# --------------------------------------------------------------------------------------------------------- metrics


def test_three_scores_of_seven_tenths_meet_seven_tenths(gate, make):
    assert sum([0.7, 0.7, 0.7]) / 3 < 0.7  # in floats they do not

    assert gate({"metrics": {"quality": {"mean": ">= 0.70"}}}, "ppp", make.rows([0.7] * 3)).exit_code == 0


def test_a_mean_on_the_threshold_meets_it(gate, make):
    assert (0.4 + 1.0 + 0.7) / 3 < 0.7  # in floats it does not

    assert gate({"metrics": {"quality": {"mean": 0.7}}}, "ppp", make.rows([0.4, 1.0, 0.7])).exit_code == 0


def test_eight_scores_of_four_fifths_meet_four_fifths(gate, make):
    assert gate({"metrics": {"quality": {"mean": ">= 0.80"}}}, "p" * 8, make.rows([0.8] * 8)).exit_code == 0


def test_a_score_that_only_float_arithmetic_put_under_the_threshold_meets_it(gate, make):
    assert gate({"metrics": {"quality": {"mean": ">= 0.3"}}}, "p", make.rows([0.1 * 3 - 1e-16])).exit_code == 0


@pytest.mark.parametrize("score", [0.7966, 0.79996, 0.7999999])
def test_a_score_just_under_the_threshold_fails_and_shows_the_difference(gate, make, score):
    decision = gate({"metrics": {"quality": {"mean": ">= 0.8"}}}, "p", make.rows([score]))

    assert decision.exit_code == 1
    assert f"quality: mean >= 0.8: {score} (1 of 1 scored)" in decision.reasons[0]


def test_a_figure_is_never_rounded_to_the_other_side_of_its_bound(gate, make):
    # Four decimals would show 0.79995 as 0.8, above the bound that it misses.
    decision = gate({"metrics": {"quality": {"mean": ">= 0.79997"}}}, "p", make.rows([0.79996]))

    assert "0.79996 (1 of 1 scored)" in decision.reasons[0]


@pytest.mark.parametrize(
    ("scores", "outcome"),
    [
        ([0.9] + [None] * 9, "undecided"),  # between 0.09 and 0.99
        ([0.0, 0.0, None], "fails"),  # at best 1/3
        ([1.0, 1.0, 1.0, 1.0, None], "holds"),  # at least 4/5
    ],
)
def test_a_mean_is_decided_over_the_whole_scale_of_the_open_cases(gate, make, scores, outcome):
    cases = "".join("e" if score is None else "p" for score in scores)

    decision = gate({"metrics": {"quality": {"mean": ">= 0.8"}}}, cases, make.rows(scores))

    assert decision.rules[0]["outcome"] == outcome


def test_errors_do_not_shrink_the_sample_until_the_gate_passes(gate, make):
    scores = make.rows([0.9] + [None] * 9)
    rules = {"metrics": {"quality": {"mean": ">= 0.8"}}}

    assert gate(rules, "p" + "e" * 9, scores).exit_code == 3


def test_a_declared_tolerance_decides_on_the_cases_that_have_a_result(gate, make):
    scores = make.rows([0.9] + [None] * 9)

    decision = gate({"metrics": {"quality": {"mean": ">= 0.8"}}, "max_errors": "100%"}, "p" + "e" * 9, scores)

    assert decision.exit_code == 0
    assert decision.reasons[0] == "quality: mean >= 0.8: 0.9 (1 of 10 scored)"


def test_an_open_case_takes_the_ends_of_the_metrics_own_scale(gate, make):
    scores = make.rows([5.0, None], scale_min=1.0, scale_max=5.0)

    # (5 + 1) / 2 = 3 at least, (5 + 5) / 2 = 5 at best.
    decision = gate({"metrics": {"quality": {"mean": ">= 3"}}}, "pe", scores)

    assert decision.rules[0]["outcome"] == "holds"
    assert decision.rules[0]["value"] == 3


def test_trials_are_averaged_within_their_case_first(gate, make):
    # Case a: (1 + 0) / 2, case b: 1; their mean is 3/4. Over the three rows it would be 2/3.
    scores = [make.row("a", 1.0), make.row("a", 0.0, trial=1), make.row("b", 1.0)]
    cases = [make.unit("a", "pass", n=2), make.unit("b", "pass")]

    assert gate({"metrics": {"quality": {"mean": ">= 0.75"}}}, cases, scores).exit_code == 0


def test_a_pass_rate_of_a_metric_counts_its_own_verdicts(gate, make):
    scores = [make.row("c0", 1.0, passed=True, status="pass"), make.row("c1", 0.0, passed=False, status="fail")]

    assert gate({"metrics": {"quality": {"pass_rate": ">= 0.5"}}}, "pp", scores).exit_code == 0
    assert gate({"metrics": {"quality": {"pass_rate": ">= 0.6"}}}, "pp", scores).exit_code == 1


def test_a_pass_rate_of_a_metric_without_a_threshold_is_undecided(gate, make):
    decision = gate({"metrics": {"quality": {"pass_rate": ">= 0.5"}}}, "pp", make.rows([1.0, 1.0]))

    assert decision.exit_code == 3
    assert "no result has a threshold" in decision.reasons[0]


def test_on_lower_the_end_of_the_interval_decides(gate, make):
    scores = make.rows([0.9, 1.0, 0.8, 0.9, 1.0])  # mean 0.92, t-interval from 0.816

    assert gate({"metrics": {"quality": {"mean": ">= 0.85"}}}, "p" * 5, scores).exit_code == 0
    assert gate({"metrics": {"quality": {"mean": ">= 0.85", "on": "lower"}}}, "p" * 5, scores).exit_code == 1
    assert gate({"metrics": {"quality": {"mean": ">= 0.81", "on": "lower"}}}, "p" * 5, scores).exit_code == 0


def test_three_of_three_do_not_prove_a_rate_of_nine_tenths(gate, make):
    # Wilson's interval of 3 of 3 starts at 3 / (3 + 1.96²) = 0.438; a spread of 0 must not make it a certainty.
    scores = make.rows([1.0] * 3, passed=True, status="pass")

    rules = gate({"metrics": {"quality": {"pass_rate": ">= 0.9", "on": "lower"}}}, "ppp", scores).rules

    assert rules[0]["outcome"] == "fails"
    assert rules[0]["value"] == pytest.approx(3 / (3 + 1.959964**2), abs=1e-6)


def test_a_metric_rule_speaks_of_the_variants_that_have_the_metric(gate, make):
    # Suites differ: the cases of "default" are not judged at all, those of v2 are.
    cases = [*make.units("p", variant="default"), make.unit("x", "pass", variant="v2")]

    decision = gate({"metrics": {"quality": {"mean": ">= 0.8"}}}, cases, [make.row("x", 0.9, variant="v2")])

    assert decision.exit_code == 0
    assert [one["variant"] for one in decision.rules] == ["v2"]


def test_a_metric_that_nothing_measured_is_undecided(gate):
    decision = gate({"metrics": {"quality": {"mean": ">= 0.8"}}}, "pp")

    assert decision.exit_code == 3
    assert "nothing was scored" in decision.reasons[0]


def test_a_metric_that_no_judge_was_asked_for_says_so(gate, make):
    skipped = make.rows([None, None], status="skipped", cause="no_judge")

    decision = gate({"metrics": {"quality": {"mean": ">= 0.8"}}}, "pp", skipped)

    assert decision.exit_code == 3
    assert decision.reasons == ("quality: mean >= 0.8: nothing was scored, as no judge was named (--judge MODEL)",)


def test_a_rule_on_a_metric_needs_a_bound(gate):
    with pytest.raises(ValidationError, match="has no bound"):
        gate({"metrics": {"quality": {"on": "lower"}}}, "pp")


def test_rows_of_negative_fixtures_enter_no_mean(gate, make):
    scores = [make.row("c0", 1.0), make.row("c1", 0.0)]

    assert gate({"metrics": {"quality": {"mean": ">= 1"}}}, "pn", scores).exit_code == 0


# ------------------------------------------------------------------------------------------------------ max_errors


@pytest.mark.parametrize(
    ("max_errors", "code"),
    [(0, 3), (1, 0), ("2%", 0), ("1.9%", 3)],  # 1 of 50 cases is 2 % exactly
)
def test_errors_are_tolerated_up_to_a_count_or_a_share(gate, max_errors, code):
    assert gate({"max_errors": max_errors}, "p" * 49 + "e").exit_code == code


def test_the_tolerance_is_named_as_it_was_written(gate):
    assert gate({"max_errors": "2%"}, "ppee").reasons[-1] == ("2 of 4 cases have no result, max_errors is 2%: c2, c3")


def test_tolerating_every_error_does_not_make_a_pass_of_nothing(gate):
    assert gate({"max_errors": "100%"}, "eee").exit_code == 3


def test_a_failing_case_is_never_tolerated_as_an_error(gate):
    assert gate({"max_errors": 10}, "pef").exit_code == 1


# ------------------------------------------------------------------------------------------- what else ends a run


def test_a_failed_rule_wins_over_a_stopped_run(gate):
    assert gate({}, "pf", stopped="the budget is used up").exit_code == 1


def test_a_stopped_run_is_undecided_though_its_rules_hold(gate):
    decision = gate({}, "pp", stopped="the budget is used up")

    assert (decision.passed, decision.exit_code) == (False, 3)
    assert decision.reasons == ("the run was stopped: the budget is used up",)


def test_an_interrupted_run_says_so_whatever_failed(gate):
    assert gate({}, "pf", interrupted=True).exit_code == 130


@pytest.mark.parametrize("cases", ["pf", "pe"])
def test_without_the_gate_the_decision_stands_and_the_code_is_zero(gate, cases):
    decision = gate({}, cases, no_gate=True)

    assert (decision.passed, decision.exit_code) == (False, 0)


@pytest.mark.parametrize(("how", "code"), [({"stopped": "no key"}, 3), ({"interrupted": True}, 130)])
def test_without_the_gate_a_run_that_ended_early_keeps_its_code(gate, how, code):
    assert gate({}, "pp", no_gate=True, **how).exit_code == code


def test_every_rule_leaves_a_record(gate):
    assert gate({"pass_rate": ">= 0.5"}, "ppf").rules == (
        {
            "rule": "pass_rate >= 0.5",
            "variant": "default",
            "outcome": "holds",
            "value": 2 / 3,
            "n_scored": 3,
            "n_total": 3,
            "reason": "pass_rate >= 0.5: 0.6667 (2 of 3)",
        },
    )

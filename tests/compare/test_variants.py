"""Two variants of one run: which metric answers the question, on which cases, and what is said of it."""

from __future__ import annotations

import pytest

import judgekit as jk
from judgekit import stats
from judgekit.errors import InputError


def test_the_case_pass_rate_answers_where_anything_is_required(project):
    run = project.checked({"v1": "fpfffffp", "v2": "pppppppf"})

    (row,) = jk.compare(run).rows

    assert (row["metric"], row["primary"], row["n"]) == ("pass_rate", True, 8)
    # 6 cases newly pass, 1 newly fails: 2 (1 + 7) / 2^7
    assert (row["wins"], row["losses"], row["p_value"]) == (6, 1, pytest.approx(16 / 128))


def test_the_judged_score_answers_where_nothing_is_required(project):
    run = project.judged({"v1": {"a": 1, "b": 2}, "v2": {"a": 3, "b": 5}})

    (row,) = jk.compare(run).rows

    assert (row["metric"], row["primary"], row["value"], row["value_against"]) == ("q", True, 4.0, 1.5)


def test_a_judgment_that_was_skipped_after_a_failed_check_is_a_failed_case_and_no_score(project):
    suite = "suite: s\ndefaults: {expect: {contains: [good]}, rubrics: [q]}\ncases: cases.jsonl\n"
    project.write("rubrics/q.yaml", "name: q\nquestion: Good?\nscale: {min: 1, max: 5}\n")
    replies = [{"case_id": f"c{n}", "rubric": "q", "reply": '{"score": 4}'} for n in range(4)]
    project.write("replies.jsonl", replies)
    run = project.checked({"v1": "fppp", "v2": "pppp"}, suite=suite, judge="replay:replies.jsonl")

    rate, judged = jk.compare(run).rows

    assert (rate["n"], rate["wins"]) == (4, 1)
    assert (judged["n"], judged["left_out"]) == (
        3,
        [{"reason": "not judged after a failed check", "n": 1, "case_ids": ["c0"]}],
    )
    assert "1 not judged after a failed check (--judge-all asks them too)" in judged["sentence"]


def test_primary_names_another_metric(project):
    run = project.checked({"v1": "fp", "v2": "pp"})

    rows = jk.compare(run, primary="contains").rows

    assert [(row["metric"], row["primary"]) for row in rows] == [("contains", True), ("pass_rate", False)]


def test_an_unknown_primary_metric_is_a_mistake(project):
    with pytest.raises(InputError, match=r'"contain"; there are contains, pass_rate. Did you mean "contains"'):
        jk.compare(project.checked({"v1": "fp", "v2": "pp"}), primary="contain")


def test_zeros_and_ones_of_a_judge_get_the_exact_test(project):
    rubric = "name: q\nquestion: Right?\nlabels: {C: 1, I: 0}\n"
    good = {f"c{n}": '{"label": "C"}' for n in range(20)}
    run = project.judged({"v1": {**good, "c0": '{"label": "I"}', "c1": '{"label": "I"}'}, "v2": good}, rubric=rubric)

    (row,) = jk.compare(run).rows

    assert (row["method"], row["p_value"]) == ("exact McNemar", 0.5)


def test_p_values_of_several_variants_are_adjusted_together(project):
    run = project.checked({"v1": "f" * 10, "v2": "p" * 8 + "ff", "v3": "p" * 9 + "f"})

    rows = jk.compare(run).rows

    # 2 / 2^8 and 2 / 2^9; Holm doubles the smaller and leaves the larger, which is as large then.
    assert [row["p_value"] for row in rows] == [2 / 2**8, 2 / 2**9]
    assert [row["p_adjusted"] for row in rows] == list(stats.holm([2 / 2**8, 2 / 2**9]))
    assert "p = 0.0039, 0.0078 adjusted for 2 tests" in rows[1]["sentence"]


def test_a_metric_with_a_threshold_is_one_test_and_shows_its_pass_rate(project):
    rubric = "name: q\nquestion: Good?\nscale: {min: 1, max: 5}\npass_at: 4\n"
    run = project.judged({"v1": {"a": 3, "b": 5, "c": 2}, "v2": {"a": 5, "b": 3, "c": 4}}, rubric=rubric)

    (row,) = jk.compare(run).rows

    assert row["n_tests"] == 1
    assert (row["pass_rate"], row["pass_rate_against"]) == (pytest.approx(2 / 3), pytest.approx(1 / 3))
    assert (row["newly_passing"], row["newly_failing"]) == (2, 1)


def test_what_has_no_result_is_left_out_with_its_cause(project):
    run = project.judged({"v1": {"a": 1, "b": "?", "c": 3}, "v2": {"a": 2, "b": 2, "c": None}})

    (row,) = jk.compare(run).rows

    assert row["n"] == 1
    assert [(one["reason"], one["case_ids"]) for one in row["left_out"]] == [
        ("unscored (parse)", ["b"]),
        ("error (not_recorded)", ["c"]),
    ]


def test_trials_are_no_cases(project):
    project.write("suite.yaml", "suite: s\ncases: [{id: a, expect: {equals: x}}, {id: b, expect: {equals: x}}]\n")
    rows = [
        {"case_id": case, "variant": variant, "trial": trial, "output": "x" if variant == "v2" else "y"}
        for case in "ab"
        for variant in ("v1", "v2")
        for trial in range(10)
    ]
    project.write("outputs.jsonl", rows)

    rate, check = jk.compare(jk.score("suite.yaml", outputs="outputs.jsonl"), primary="equals").rows[::-1]

    # Two cases differ the same way: p = 2 / 2^2, however many trials there are.
    assert [(row["n"], row["p_value"], row["verdict"]) for row in (rate, check)] == [(2, 0.5, "not enough cases")] * 2


def test_cases_with_unequal_numbers_of_trials_are_left_out_of_the_pass_rate_and_counted(project):
    project.write("suite.yaml", "suite: s\ncases: [{id: a, expect: {equals: x}}, {id: b, expect: {equals: x}}]\n")
    rows = [{"case_id": case, "variant": variant, "output": "x"} for case in "ab" for variant in ("v1", "v2")]
    rows.append({"case_id": "b", "variant": "v2", "trial": 1, "output": "y"})
    project.write("outputs.jsonl", rows)

    (row,) = jk.compare(jk.score("suite.yaml", outputs="outputs.jsonl")).rows

    assert (row["n"], row["left_out"]) == (
        1,
        [{"reason": "with unequal numbers of trials", "n": 1, "case_ids": ["b"]}],
    )


def by_document(project, *, cluster: str | None):
    """Thirty cases from three documents; v2 is a little better on each case of one document."""
    if cluster:
        project.write("judgekit.yaml", f"cluster: {cluster}\n")
    ids = [f"c{n:02}" for n in range(30)]
    extra = {case_id: {"document": f"d{int(case_id[1:]) % 3}"} for case_id in ids}
    old = dict.fromkeys(ids, 3)
    new = {case_id: 4 if extra[case_id]["document"] == "d0" else 3 for case_id in ids}
    return project.judged({"v1": old, "v2": new}, extra=extra)


def test_cases_of_one_cluster_are_one_case_to_the_test(project):
    (row,) = jk.compare(by_document(project, cluster="document")).rows

    assert (row["n"], row["n_clusters"], row["verdict"]) == (30, 3, "not enough cases")
    assert "on 30 cases in 3 clusters" in row["sentence"]
    assert row["p_value"] == 1.0  # one of three documents differs: both signs are as large


def test_without_a_cluster_they_would_count_ten_times(project):
    (row,) = jk.compare(by_document(project, cluster=None)).rows

    assert (row["n_clusters"], row["verdict"]) == (None, "better")


def test_a_cluster_can_be_named_when_comparing(project):
    (row,) = jk.compare(by_document(project, cluster=None), cluster="document").rows

    assert row["n_clusters"] == 3


def test_intervals_of_the_means_are_clustered_too(project):
    run = by_document(project, cluster="document")

    (q,) = [one for one in run.summary["estimates"] if (one["metric"], one["variant"]) == ("q", "v2")]
    assert q["method"] == "t, clustered"


def test_a_cluster_that_no_case_has_is_found_before_anything_runs(project):
    with pytest.raises(InputError, match=r'judgekit.yaml:1: cluster: no case has a column "documnt".* "document"'):
        by_document(project, cluster="documnt")


def test_shared_contexts_without_a_cluster_are_told(project):
    ids = ["a", "b", "c", "d"]
    extra = {case_id: {"context": "one" if case_id in "ab" else "two"} for case_id in ids}
    run = project.judged({"v1": dict.fromkeys(ids, 3)}, extra=extra)

    assert [one for one in run.summary["warnings"] if "share their context" in one] == [
        "4 cases share their context with others and are counted as independent: the setting `cluster: context` "
        "counts them together"
    ]


def test_a_panel_is_compared_where_all_its_judges_scored_both(project):
    project.write("rubrics/q.yaml", "name: q\nquestion: Good?\nscale: {min: 1, max: 5}\n")
    rows = [
        {"case_id": one, "variant": variant, "input": one, "output": "x"} for one in "ab" for variant in ("v1", "v2")
    ]
    project.write("outputs.jsonl", rows)

    def replies(name: str, **scores: int) -> str:
        known = [
            {"case_id": key[0], "variant": key[2:], "rubric": "q", "reply": f'{{"score": {score}}}'}
            for key, score in scores.items()
        ]
        project.write(name, known)
        return f"replay:{name}"

    # The strict judge saw v2 only of case b: with its 1 the mean of v2 would fall below that of v1.
    judges = [replies("one.jsonl", a_v1=3, a_v2=4, b_v1=3, b_v2=4), replies("strict.jsonl", a_v1=1, a_v2=2, b_v2=1)]
    run = jk.score(outputs="outputs.jsonl", rubrics=["q"], judge=judges)

    (row,) = jk.compare(run).rows

    assert (row["value"], row["value_against"]) == (3.0, 2.0)
    assert row["left_out"] == [{"reason": "without all judges of the panel", "n": 1, "case_ids": ["b"]}]


def test_few_cases_are_not_enough_and_it_is_said_how_many_would_be(project):
    (row,) = jk.compare(project.checked({"v1": "fff", "v2": "ppp"})).rows

    assert row["verdict"] == "not enough cases"
    assert "no result of fewer than 6 cases could be significant" in row["sentence"]


def test_cases_that_do_not_differ_have_no_p_value_and_an_interval_by_the_rule_of_three(project):
    (row,) = jk.compare(project.checked({"v1": "p" * 20 + "f" * 10, "v2": "p" * 20 + "f" * 10})).rows

    assert (row["p_value"], row["difference"], row["minimum_detectable_difference"]) == (None, 0.0, None)
    # 1 - 0.05^(1/30)
    assert row["ci_high"] == pytest.approx(1 - 0.05 ** (1 / 30))
    assert row["verdict"] == "no evidence of a difference"
    assert "no case differs; 6 of 30 cases would have to differ, all the same way" in row["sentence"]


def test_one_case_has_a_difference_and_nothing_more(project):
    (row,) = jk.compare(project.checked({"v1": "f", "v2": "p"})).rows

    assert (row["difference"], row["ci_low"], row["p_value"]) == (1.0, None, 1.0)


def test_no_paired_case_is_said_and_is_no_zero(project):
    (row,) = jk.compare(project.judged({"v1": {"a": "?"}, "v2": {"a": 2}})).rows

    assert (row["value"], row["difference"], row["p_value"]) == (None, None, None)
    assert row["sentence"] == (
        "q: v2 against v1: not enough cases (no case has a result for both; left out: 1 unscored (parse))."
    )


def test_rates_are_in_percent_and_differences_in_points(project):
    (row,) = jk.compare(project.checked({"v1": "p" * 27 + "f" * 13, "v2": "p" * 40})).rows

    assert "100 % against 67.5 % on 40 cases, difference +32.5 points [+" in row["sentence"]


@pytest.mark.parametrize(("n", "method"), [(29, "paired t"), (30, "BCa bootstrap")])
def test_the_interval_of_scores_is_bootstrapped_from_thirty_cases_on(project, n, method):
    old, new = ({f"c{i}": 1 + (i + more) % 5 for i in range(n)} for more in (0, 1))

    (row,) = jk.compare(project.judged({"v1": old, "v2": new})).rows

    assert row["interval_method"] == method


def test_the_interval_of_a_pass_rate_is_not(project):
    (row,) = jk.compare(project.checked({"v1": "f" * 40, "v2": "p" * 20 + "f" * 20})).rows

    assert row["interval_method"] == "Tango"
    # Without a loss it is Wilson's for 20 of 40.
    assert row["ci_low"] == pytest.approx(jk.stats.wilson_interval(20, 40).low, abs=1e-9)


def test_the_checks_behind_the_pass_rate_are_named(project):
    suite = "suite: s\ndefaults: {expect: {contains: [good], max_length: 6}}\ncases: cases.jsonl\n"
    (row,) = jk.compare(project.checked({"v1": "ffp", "v2": "ppf"}, suite=suite)).rows[:1]

    # "good c0" has seven characters and is too long, "bad c0" has not.
    assert row["checks"] == [
        # p = 2 P(Binomial(3, 1/2) <= 1) = 1
        {"metric": "max_length", "n": 3, "wins": 1, "losses": 2, "p_value": 1.0, "p_adjusted": 1.0},
        {"metric": "contains", "n": 3, "wins": 2, "losses": 1, "p_value": 1.0, "p_adjusted": 1.0},
    ]


def test_the_largest_losses_come_first(project):
    run = project.judged({"v1": {"a": 5, "b": 5, "c": 1}, "v2": {"a": 4, "b": 1, "c": 2}})

    (row,) = jk.compare(run).rows

    assert [one["case_id"] for one in row["regressions"]] == ["b", "a"]
    assert row["regressions"][0]["reason"] == "1 of 5"
    assert row["improvements"] == [{"case_id": "c", "value": 2.0, "value_against": 1.0, "reason": "1 of 5", "trial": 0}]


# ------------------------------------------------------------------------------------------------------------- margin


def test_a_loss_that_is_shown_to_lie_within_the_margin_is_no_regression(project):
    run = project.checked({"v1": "p" * 400, "v2": "p" * 390 + "f" * 10})

    found = jk.compare(run, margin=0.05)

    (row,) = found.rows
    assert (row["verdict"], row["within_margin"], found.decide()[0]) == ("worse", True, 0)
    assert "not worse by more than 5 points" in row["sentence"]


def test_a_loss_beyond_the_margin_is_a_regression_although_it_is_not_significant(project):
    run = project.checked({"v1": "p" * 20, "v2": "p" * 17 + "fff"})

    found = jk.compare(run, margin=0.05)

    (row,) = found.rows
    assert (row["verdict"], found.decide()) == (
        "no evidence of a difference",
        (1, ["case pass rate: v2 against v1: worse by 15 points, more than the margin of 5 points"]),
    )


def test_a_margin_that_so_few_cases_can_not_rule_out_is_said(project):
    (row,) = jk.compare(project.checked({"v1": "p" * 10, "v2": "p" * 10}), margin=0.05).rows

    assert row["within_margin"] is False  # 1 - 0.05^(1/10) is 26 points
    assert "a loss of more than 5 points can't be ruled out" in row["sentence"]


def test_equal_results_of_many_cases_lie_within_a_margin(project):
    (row,) = jk.compare(project.checked({"v1": "p" * 100, "v2": "p" * 100}), margin=0.05).rows

    assert row["within_margin"] is True  # 1 - 0.05^(1/100) is 3 points


def test_a_significant_loss_is_a_regression(project):
    found = jk.compare(project.checked({"v1": "p" * 20, "v2": "f" * 8 + "p" * 12}))

    code, (reason,) = found.decide()
    # 2 / 2^8
    assert (code, reason) == (1, "case pass rate: v2 against v1: significantly worse (-40 points, p = 0.0078)")


def test_better_can_be_required(project):
    found = jk.compare(project.checked({"v1": "p" * 20, "v2": "p" * 20}))

    assert found.decide() == (0, [])
    assert found.decide(require_better=True)[0] == 1


@pytest.mark.parametrize("margin", [-0.1, float("nan"), "5"])
def test_a_margin_is_a_number_of_at_least_0(project, margin):
    with pytest.raises(InputError, match="margin: the loss that is accepted"):
        jk.compare(project.checked({"v1": "p", "v2": "p"}), margin=margin)


def test_a_comparison_is_a_frame_without_lists(project):
    found = jk.compare(project.checked({"v1": "fp", "v2": "pp"}))

    assert found.to_frame().equals(found.frame)
    assert {"n", "value", "p_adjusted"} <= set(found.frame.columns)
    assert not {"regressions", "left_out"} & set(found.frame.columns)


def test_p_values_of_checks_are_adjusted_for_each_other(project):
    suite = "suite: s\ndefaults: {expect: {contains: [good], not_contains: [bad]}}\ncases: cases.jsonl\n"
    (row,) = jk.compare(project.checked({"v1": "f" * 8, "v2": "p" * 8}, suite=suite)).rows

    # Eight of eight: 2 / 2^8, times two checks.
    assert [(one["p_value"], one["p_adjusted"]) for one in row["checks"]] == [(2 / 2**8, 4 / 2**8)] * 2


def test_checks_of_clustered_cases_have_no_p_value(project):
    suite = "suite: s\ndefaults: {expect: {contains: [good]}}\ncases: cases.jsonl\n"
    run = project.checked({"v1": "f" * 8, "v2": "p" * 8}, suite=suite)

    (row,) = jk.compare(run, cluster="suite").rows

    assert (row["n_clusters"], row["checks"][0]["p_value"], row["checks"][0]["p_adjusted"]) == (1, None, None)

"""`score --pairwise`: variants, round robin, the reference answer; rows, comparisons, replay."""

from __future__ import annotations

import pytest

import judgekit
from judgekit.cli.show import show_run
from judgekit.errors import InputError

A, B, TIE = (f"""'{{"reason": "because", "winner": "{word}"}}'""" for word in ("A", "B", "tie"))


def suite(*cases: tuple[str, str], variants: tuple[str, ...] = ("v1", "v2"), more: str = "") -> str:
    """A suite whose cases have recorded outputs by variant and a judge that replies as told."""
    lines = [
        f"  - {{id: {name}, input: Q?, reference: R., faux: {{judge: {{helpfulness: [{replies}]}}}}}}"
        for name, replies in cases
    ]
    return f"suite: s\noutputs: o.jsonl\n{more}cases:\n" + "\n".join(lines) + "\n"


@pytest.fixture
def paired(project):
    """Write the suite with outputs of each case and variant, and score it in pairs."""

    def score(*cases, variants=("v1", "v2"), without=(), more="", **how):
        rows = [
            {"case_id": name.split(",")[0], "variant": variant, "output": f"{name} by {variant}"}
            for name, _ in cases
            for variant in variants
            if (name, variant) not in without
        ]
        project.write("scenarios/o.jsonl", rows)
        project.scenario(suite(*cases, more=more))
        return project.score(**{"judge": "faux", "pairwise": "helpfulness"} | how)

    return score


# ------------------------------------------------------------------------------------------------------------ rows


def test_a_row_says_win_tie_or_loss_of_the_variant_by_the_strict_rule(project, paired):
    run = paired(("a", f"{A}, {B}"), ("b", f"{B}, {A}"), ("c", f"{A}, {A}"), ("d", f"{TIE}, {TIE}"))

    rows = [(row["case_id"], row["variant"], row["against"], row["label"], row["score"]) for row in project.rows(run)]

    assert rows == [
        ("a", "v2", "v1", "win", "1.0"),
        ("b", "v2", "v1", "loss", "0.0"),
        ("c", "v2", "v1", "tie", "0.5"),
        ("d", "v2", "v1", "tie", "0.5"),
    ]


def test_both_orders_stand_in_the_records_with_prompt_and_reply(project, paired):
    run = paired(("a", f"{A}, {B}"))

    records = project.records(run, "verdicts")

    assert [(one["order"], one["against"], one["label"]) for one in records] == [
        ("first", "v1", "win"),
        ("second", "v1", "win"),
    ]
    assert records[0]["prompt"].index("a by v2") < records[0]["prompt"].index("a by v1")
    assert records[1]["prompt"].index("a by v1") < records[1]["prompt"].index("a by v2")


def test_an_output_that_is_missing_is_an_error_of_the_pair(project, paired):
    run = paired(("a", f"{A}, {B}"), ("b", ""), without={("b", "v1")})

    row = project.row(run, case_id="b", metric="helpfulness")

    assert (row["status"], row["cause"], row["score"]) == ("error", "no_output", "")
    assert project.row(run, case_id="a", metric="helpfulness")["label"] == "win"


def test_a_pair_with_a_failed_check_on_either_side_is_skipped(project, paired):
    run = paired(("a", ""), more="defaults: {expect: {not_contains: [v1]}}\n")

    row = project.row(run, metric="helpfulness")

    assert (row["status"], row["cause"]) == ("skipped", "check:not_contains")
    # Both orders of one pair.
    assert run.summary["judge_calls"] == {"made": 0, "cached": 0, "skipped": 2}


def test_pairs_replace_pointwise_judging(project, paired):
    run = paired(("a", f"{A}, {B}"), more="defaults: {rubrics: [tone]}\n")

    assert {row["metric"] for row in project.rows(run)} == {"helpfulness"}


def test_pointwise_judging_stays_where_a_rubric_is_asked_for_too(project, paired):
    five = """'{"reason": "r", "score": 5}'"""
    run = paired(("a", f"{five}, {five}, {A}, {B}"), rubrics="helpfulness")

    found = [(row["variant"], row["against"], row["score"]) for row in project.rows(run)]

    assert sorted(found) == [("v1", "", "5.0"), ("v2", "", "5.0"), ("v2", "v1", "1.0")]
    means = {(one["variant"], one.get("against")): one["mean"] for one in run.summary["estimates"]}
    assert (means["v2", None], means["v2", "v1"]) == (5.0, 1.0)


def test_samples_are_averaged_within_each_order(project, paired):
    # Two samples, each asked in both orders: A, A, A, B. First order: win, win; second: loss, win, so a tie.
    run = paired(("a", f"{A}, {A}, {A}, {B}"), judge_samples=2)

    row = project.row(run)

    assert (row["label"], row["n_samples"], row["flags"]) == ("tie", "4", "order_dependent")


def test_a_threshold_of_a_pairwise_rubric_decides(project, paired):
    project.write("rubrics/better.yaml", "name: better\nquestion: Which?\npairwise: true\npass_at: 0.5\n")
    project.write("scenarios/o.jsonl", [{"case_id": "a", "variant": v, "output": v} for v in ("v1", "v2")])
    project.scenario(suite(("a", "")).replace("helpfulness: []", f"better: [{B}, {A}]"))

    run = project.score(judge="faux", pairwise="better")

    assert project.row(run)["status"] == "fail"
    assert run.decision.exit_code == 0  # a judged rubric informs


# ------------------------------------------------------------------------------------------------------ comparisons


def test_all_rules_consistency_and_preference_are_reported(paired):
    run = paired(
        ("a", f"{A}, {B}"),  # win, win
        ("b", f"{A}, {A}"),  # win, loss: the first slot twice
        ("c", f"{A}, {TIE}"),  # win, tie
        ("d", f"{B}, {A}"),  # loss, loss
    )

    (found,) = [one for one in run.summary["comparisons"] if one["kind"] == "pairwise"]

    counts = {rule: (of["wins"], of["ties"], of["losses"]) for rule, of in found["rules"].items()}
    assert counts == {"strict": (1, 2, 1), "net": (2, 1, 1), "mean": (2, 1, 1)}
    # Mean preferences 1, 0.5, 0.75, 0: 2.25 / 4.
    assert found["rules"]["mean"]["win_rate"] == pytest.approx(2.25 / 4)
    orders = found["orders"]
    assert (orders["n"], orders["consistent"], orders["first_slot"], orders["second_slot"]) == (4, 2, 1, 0)
    # Win and tie is no slot that wins in both orders; exact binomial of the one that is: 2 · 1/2.
    assert (orders["half"], orders["p_value"]) == (1, 1.0)


def test_ties_stand_apart_from_what_could_not_be_read(paired):
    run = paired(("a", f"{TIE}, {TIE}"), ("b", f"hm, hm, {A}"), ("c", f"{A}, {B}"))

    (found,) = [one for one in run.summary["comparisons"] if one["kind"] == "pairwise"]

    assert (found["n"], found["ties"], found["n_left_out"], found["unread"]) == (2, 1, 1, {"parse": 1})
    assert "1 win, 1 tie, 0 losses of 2 pairs" in found["sentence"]
    assert "both orders agree on 2 of 2 (100 %)" in found["sentence"]
    assert "1 pair without a result: 1 parse" in found["sentence"]


def test_pairs_are_the_primary_comparison(paired):
    run = paired(("a", f"{A}, {B}"), more="defaults: {expect: {min_length: 1}}\n")

    assert [(one["kind"], one["primary"]) for one in run.summary["comparisons"]] == [
        ("pairwise", True),
        ("case", False),
    ]


def clustered(paired, **how):
    """Twelve wins in two documents."""
    return paired(*((f"c{n}, vars: {{doc: d{n % 2}}}", f"{A}, {B}") for n in range(12)), **how)


def test_cases_of_one_document_are_no_independent_pairs(project, paired):
    run = clustered(paired)

    alone, together = (judgekit.compare(run, cluster=column).rows[0] for column in (None, "doc"))

    assert (alone["n"], alone["n_clusters"], alone["verdict"]) == (12, None, "better")
    # Exact McNemar of 12 to 0: 2 / 2¹². Of two clusters two of four sign patterns reach as far.
    assert alone["p_value"] == 2 / 2**12
    assert (together["n_clusters"], together["p_value"], together["verdict"]) == (2, 0.5, "not enough cases")
    assert "12 pairs in 2 clusters" in together["sentence"]


def test_a_run_counts_its_clusters_in_pairs_as_the_settings_say(project, paired):
    project.write("judgekit.yaml", "cluster: doc\n")

    run = clustered(paired)

    assert run.summary["comparisons"][0]["n_clusters"] == 2


def test_trials_of_one_case_are_no_further_pairs_of_the_position_preference(project, paired):
    project.write(
        "replies.jsonl",
        [
            {"case_id": case, "rubric": "helpfulness", "order": order, "reply": "Winner: A"}
            for case in ("a", "b")
            for order in ("first", "second")
        ],
    )

    run = paired(("a", ""), ("b", ""), judge="replay:replies.jsonl", trials=5)

    orders = run.summary["comparisons"][0]["orders"]
    assert (orders["n"], orders["consistent"], orders["first_slot"]) == (2, 0, 2)
    assert orders["p_value"] == 0.5  # 2 · (1/2)²


FIVE_OF_TWELVE = [(f"c{n}", f"{A}, {B}" if n < 5 else f"{B}, {A}") for n in range(12)]


@pytest.mark.parametrize(("margin", "code"), [(None, 0), (0.05, 1), (0.2, 0), ({"helpfulness": 0.05}, 1)])
def test_a_margin_is_held_against_pairs(paired, margin, code):
    # 5 wins and 7 losses: 5/12 - 7/12 = -0.167.
    compared = judgekit.compare(paired(*FIVE_OF_TWELVE), margin=margin)

    assert compared.rows[0]["difference"] == pytest.approx(-2 / 12)
    assert compared.decide()[0] == code


def test_a_margin_that_is_ruled_out_is_said_of_pairs(paired):
    row = judgekit.compare(paired(*FIVE_OF_TWELVE), margin=0.2).rows[0]

    assert (row["margin"], row["within_margin"]) == (0.2, False)
    assert "a loss of more than 20 points can't be ruled out" in row["sentence"]


@pytest.mark.parametrize(
    "asked", [{"primary": "tonee"}, {"margin": {"tonee": 0.1}}], ids=["primary", "margin of a metric"]
)
@pytest.mark.parametrize("against", ["v1", "reference"])
def test_a_metric_that_no_pair_has_is_refused(paired, asked, against):
    run = paired(("a", f"{A}, {B}"), against=against, variants=("v1", "v2") if against == "v1" else ("v1",))

    with pytest.raises(InputError, match=r"tonee.*helpfulness"):
        judgekit.compare(run, **asked)


def test_a_scored_metric_can_be_the_primary_one_beside_pairs(paired):
    run = paired(("a", f"{A}, {B}"), more="defaults: {expect: {min_length: 1}}\n")

    rows = judgekit.compare(run, primary="pass_rate", margin=0.1).rows

    assert [(one["kind"], one["primary"], one["margin"]) for one in rows] == [
        ("case", True, 0.1),
        ("pairwise", False, None),
    ]


def test_each_variant_has_its_own_primary_comparison(paired):
    run = paired(*((f"c{n}", f"{A}, {B}, {B}, {A}") for n in range(8)), variants=("v1", "v2", "v3"))

    compared = judgekit.compare(run)

    assert [(one["variant"], one["primary"], one["n_tests"]) for one in compared.rows] == [
        ("v2", True, 2),
        ("v3", True, 2),
    ]
    assert compared.decide(require_better=True)[0] == 1


def test_opponents_that_no_pair_has_are_named(paired):
    run = paired(("a", f"{A}, {B}"))

    with pytest.raises(InputError, match='none is against "v2"; there are pairs against v1'):
        judgekit.compare(run, against="v2")


def test_a_stored_run_compares_its_pairs_again(paired):
    run = paired(("a", f"{A}, {B}"), ("b", f"{A}, {A}"))

    again = judgekit.compare(judgekit.load_run(run.path))

    assert list(again.rows) == run.summary["comparisons"]


# -------------------------------------------------------------------------------------------------- who meets whom


def test_every_variant_meets_the_reference_variant(project, paired):
    run = paired(("a", f"{A}, {B}, {A}, {B}"), variants=("v1", "v2", "v3"), against="v2")

    assert [(row["variant"], row["against"]) for row in project.rows(run)] == [("v1", "v2"), ("v3", "v2")]


def test_in_a_round_robin_everybody_meets_everybody_once(project, paired):
    run = paired(("a", ", ".join([A, B] * 3)), variants=("v1", "v2", "v3"), round_robin=True)

    met = {(row["variant"], row["against"]) for row in project.rows(run)}
    assert met == {("v2", "v1"), ("v3", "v1"), ("v3", "v2")}


def test_outputs_meet_the_reference_answer(project, paired):
    run = paired(("a", f"{A}, {B}"), variants=("v1",), against="reference")

    row = project.row(run)
    assert (row["variant"], row["against"], row["label"]) == ("v1", "reference", "win")
    assert "\nR.\n" in project.records(run, "verdicts")[0]["prompt"]


def test_without_a_reference_answer_the_pair_is_an_error(project):
    project.scenario("name: a\ninput: Q?\noutput: x\nexpect: {min_length: 1}\n")

    run = project.score(judge="faux", pairwise="helpfulness", against="reference")

    row = project.row(run, kind="judge")
    assert (row["status"], row["cause"]) == ("error", "no_reference")


# ---------------------------------------------------------------------------------------------------------- replay


def test_a_run_in_pairs_replays_with_the_same_verdicts(project, paired):
    first = paired(("a", f"{A}, {B}"), ("b", f"{A}, {A}"))

    again = project.score(judge=f"replay:{first.path}", pairwise="helpfulness")

    def rows(run):
        return [(row["case_id"], row["label"], row["reason"], row["flags"]) for row in project.rows(run)]

    assert rows(again) == rows(first)


def test_recorded_replies_of_a_pair_say_their_order(project, paired):
    project.write(
        "replies.jsonl",
        [
            {"case_id": "a", "rubric": "helpfulness", "order": order, "reply": f"Winner: {word}"}
            for order, word in (("first", "A"), ("second", "B"))
        ],
    )

    run = paired(("a", ""), judge="replay:replies.jsonl")

    assert project.row(run)["label"] == "win"


def recorded(project, *, against=None):
    one = {"case_id": "a", "rubric": "helpfulness", "variant": "v3", "reply": "Winner: tie"}
    said = {} if against is None else {"against": against}
    project.write("replies.jsonl", [{**one, **said, "order": order} for order in ("first", "second")])
    return {"judge": "replay:replies.jsonl", "variants": ("v1", "v2", "v3"), "round_robin": True}


def test_recorded_replies_serve_one_opponent_only(project, paired):
    with pytest.raises(InputError, match='whom "v3" was compared with, and here it meets v1, v2: give these lines "ag'):
        paired(("a", ""), **recorded(project))


def test_what_a_recording_does_not_hold_is_no_call_made(project, paired):
    run = paired(("a", ""), **recorded(project, against="v2"))

    # v3 against v2 in two orders; the recording holds nothing of v2 and v3 against v1.
    assert run.summary["judge_calls"]["made"] == 2


# ------------------------------------------------------------------------------------------------------- two runs


def test_pairs_of_two_runs_are_compared_within_each(project, paired):
    paired(("a", f"{A}, {B}"), run_id="r1")
    paired(("a", f"{A}, {B}"), run_id="r2")

    with pytest.raises(InputError, match="in pairs is compared within its run: judgekit compare r2"):
        judgekit.compare("r1", "r2")


def test_pairs_that_two_runs_leave_out_are_told(project, paired):
    for run_id in ("r1", "r2"):
        paired(("a", f"{A}, {B}"), run_id=run_id, more="defaults: {expect: {min_length: 1}}\n")

    assert [note for note in judgekit.compare("r1", "r2").notes if "judgekit compare r2" in note]


def test_score_points_to_no_comparison_of_runs_that_hold_pairs_alone(project, paired, capsys):
    for run_id in ("r1", "r2"):
        run = paired(("a", f"{A}, {B}"), run_id=run_id, more="defaults: {expect: {min_length: 1}}\n")

    show_run(run.data)

    out = capsys.readouterr().out
    assert "latest~1" in out
    assert "judgekit compare" not in out


# --------------------------------------------------------------------------------------------------------- mistakes


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"pairwise": "source_coverage"}, '--pairwise: "source_coverage" is computed'),
        ({"pairwise": "helpfullness"}, 'unknown rubric "helpfullness". Did you mean "helpfulness"'),
        ({"pairwise": (), "round_robin": True, "rubrics": "tone"}, "--round-robin says which pairs are compared"),
        ({"variants": ("v1",)}, "no suite has two variants"),
        ({"against": "reference", "round_robin": True}, "leave out --against reference"),
        ({"against": "v9"}, 'there is no variant "v9"'),
        ({"variants": ("v1", "reference")}, 'a variant is called "reference", which in pairs is the reference answer'),
    ],
)
def test_what_cannot_be_compared_is_said_before_anything_is_run(project, paired, how, said):
    with pytest.raises(InputError, match=said):
        paired(("a", ""), **how)
    assert not (project.folder / "reports").exists()


def test_a_pairwise_rubric_cannot_judge_one_output(project):
    project.write("rubrics/better.yaml", "name: better\nquestion: Which?\npairwise: true\n")
    project.scenario("name: a\ninput: Q?\noutput: x\nrubrics: [better]\n")

    with pytest.raises(InputError, match='rubric "better" compares two outputs: give it to --pairwise'):
        project.score(judge="faux")


def test_a_template_for_one_output_cannot_compare_two(project, paired):
    project.write("rubrics/own.yaml", "name: own\nquestion: Q?\nscale: {min: 1, max: 5}\ntemplate: own.j2\n")
    project.write("rubrics/own.j2", "Rate {{ output }}.")

    with pytest.raises(InputError, match='the template of "own" shows one output'):
        paired(("a", ""), pairwise="own")


def test_a_stored_run_of_one_variant_compares_with_the_reference_answer_again(paired):
    run = paired(("a", f"{A}, {B}"), variants=("v1",), against="reference")

    assert [one["against"] for one in judgekit.compare(run).rows] == ["reference"]


# ------------------------------------------------------------------------------------------------------------ gate


def test_a_gate_rule_can_ask_for_a_win_rate(project, paired):
    project.write("judgekit.yaml", "gate: {metrics: {helpfulness: {mean: '>= 0.5'}}}\n")

    run = paired(("a", f"{A}, {B}"), ("b", f"{B}, {A}"), ("c", f"{B}, {A}"))

    # One win of three; the reference variant has no such row and is not gated.
    (rule,) = run.summary["decision"]["rules"]
    assert (rule["outcome"], rule["value"], rule["variant"]) == ("fails", pytest.approx(1 / 3), "v2")


def test_a_gate_rule_reads_single_outputs_where_they_are_judged_too(project, paired):
    project.write("judgekit.yaml", "gate: {metrics: {helpfulness: {mean: '>= 4'}}}\n")
    five = """'{"reason": "r", "score": 5}'"""

    run = paired(("a", f"{five}, {five}, {B}, {A}"), rubrics="helpfulness")

    (rule,) = run.summary["decision"]["rules"]
    assert (rule["outcome"], rule["value"], rule["n_total"]) == ("holds", 5.0, 1)

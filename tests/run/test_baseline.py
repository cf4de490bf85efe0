"""A run held to a baseline: what it gates on, what it lists, and which baselines are refused."""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

import judgekit
from judgekit.errors import InputError
from judgekit.pipeline.baseline import read_baseline, write_baseline

GOOD = '{"reason": "r", "score": 5}'
BAD = '{"reason": "r", "score": 1}'


@pytest.fixture
def suite(project):
    """Writes a suite of cases by id: output, checks and the judge's replies."""

    def written(**cases: dict[str, Any]) -> None:
        entries = [
            {
                "id": name,
                "input": one.get("input", "Q?"),
                "output": one.get("output", "Revenue rose."),
                "expect": one.get("expect", {"contains": ["revenue"]}),
                **({"rubrics": [{"name": "helpfulness", "pass_at": 4}]} if "judge" in one else {}),
                **({"faux": {"judge": {"helpfulness": one["judge"]}}} if "judge" in one else {}),
                **{key: one[key] for key in ("should_pass", "trials") if key in one},
            }
            for name, one in cases.items()
        ]
        project.scenario(json.dumps({"suite": "s", "cases": entries}))

    return written


@pytest.fixture
def base(project):
    """Scores what is there and writes its baseline."""

    def made(**how: Any) -> str:
        write_baseline(project.score(no_gate=True, **how).data, project.folder / "base.jsonl")
        return "base.jsonl"

    return made


FAILING = {"output": "Costs rose."}

# ------------------------------------------------------------------------------------------- checks, case by case


def test_what_failed_before_may_fail(suite, base, project):
    suite(a={}, b=FAILING)

    run = project.score(baseline=base())

    assert (run.decision.exit_code, run.decision.reasons) == (
        0,
        ("no case worse than the baseline: none of 2 is, 1 fails as before",),
    )


def test_what_passed_before_has_to_pass(suite, base, project):
    suite(a={}, b=FAILING)
    name = base()
    suite(a=FAILING, b=FAILING)

    run = project.score(baseline=name)

    assert (run.decision.exit_code, run.decision.reasons) == (
        1,
        ("no case worse than the baseline: 1 newly failing: a (contains)",),
    )


def test_a_case_that_fails_another_check_than_before_is_newly_failing(suite, base, project):
    both = {"expect": {"contains": ["revenue"], "max_length": 11}}
    suite(a=FAILING | both)
    name = base()
    suite(a={"output": "Costs rose a lot."} | both)

    run = project.score(baseline=name)

    assert run.summary["baseline"]["newly_failing"][0]["metrics"] == ["max_length"]
    assert run.decision.exit_code == 1


def test_a_check_that_only_informs_gates_nothing(suite, base, project):
    informs = {"expect": {"contains": {"value": ["revenue"], "required": False}, "min_length": 1}}
    suite(a=informs)
    name = base()
    suite(a=FAILING | informs)

    assert project.score(baseline=name).decision.exit_code == 0


def test_a_missing_case_fails_the_gate(suite, base, project):
    suite(a={}, b={})
    name = base()
    suite(a={})

    run = project.score(baseline=name)

    assert (run.decision.exit_code, run.decision.reasons[0]) == (1, "no case worse than the baseline: 1 missing: b")


@pytest.mark.parametrize("how", [{"select": "a"}, {"only": "changed"}], ids=["-k", "--only"])
def test_of_a_selection_nothing_is_missing(suite, base, project, how):
    suite(a={}, b={})
    name = base()
    suite(a={"output": "Revenue fell."}, b={})

    run = project.score(baseline=name, **how)

    assert (len(run.cases), run.decision.exit_code, run.summary["baseline"]["missing"]) == (1, 0, [])


def test_a_fixed_case_is_told(suite, base, project):
    suite(a=FAILING)
    name = base()
    suite(a={})

    assert project.score(baseline=name).summary["baseline"]["counts"]["fixed"] == 1


def test_a_negative_fixture_that_passes_now_is_newly_failing(suite, base, project):
    suite(a={}, no=FAILING | {"should_pass": False})
    name = base()
    suite(a={}, no={"should_pass": False})

    run = project.score(baseline=name)

    assert run.summary["baseline"]["newly_failing"][0]["case_id"] == "no"
    assert run.decision.exit_code == 1


def test_trials_count_as_their_case_does(suite, base, project):
    # Two of three trials have to pass: two did before, one does now.
    def case(*replies: str) -> None:
        project.scenario(
            json.dumps(
                {
                    "name": "a",
                    "input": "Q?",
                    "trials": {"n": 3, "require": 2},
                    "expect": {"contains": ["revenue"]},
                    "faux": list(replies),
                }
            )
        )

    case("revenue", "revenue", "costs")
    name = base()
    case("revenue", "costs", "revenue")
    same = project.score(baseline=name)
    case("revenue", "costs", "costs")
    worse = project.score(baseline=name)

    assert (same.decision.exit_code, worse.decision.exit_code) == (0, 1)


# ------------------------------------------------------------------------------------- new and changed definitions


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"input": "Which?"}, ["input"]),
        ({"expect": {"contains": ["profit"]}}, ["contains"]),
        ({"expect": {"contains": ["revenue"], "max_length": 99}}, ["max_length is new"]),
        ({"expect": {"starts_with": "rev"}}, ["contains is gone", "starts_with is new"]),
    ],
)
def test_changed_definitions_are_listed(suite, base, project, changes, what):
    suite(a={"output": "Revenue and profit."}, b={})
    name = base()
    suite(a={"output": "Revenue and profit."} | changes, b={})

    run = project.score(baseline=name)

    assert [(one["case_id"], one["what"]) for one in run.summary["baseline"]["changed"]] == [("a", what)]
    assert run.decision.exit_code == 0


def test_what_the_baseline_does_not_know_has_to_pass_and_is_not_called_a_flip(suite, base, project):
    suite(a={}, b={})
    name = base()
    suite(a={"expect": {"contains": ["profit"]}}, b={}, c=FAILING)

    run = project.score(baseline=name)

    assert run.summary["baseline"]["newly_failing"] == []
    assert (run.decision.exit_code, run.decision.reasons[0]) == (
        1,
        "no case worse than the baseline: 2 failing that the baseline does not excuse, new or changed since: "
        "a (contains), c (contains)",
    )


def test_a_changed_check_leaves_the_others_compared(suite, base, project):
    suite(a={"expect": {"contains": ["revenue"], "max_length": 99}})
    name = base()
    suite(a=FAILING | {"expect": {"contains": ["revenue"], "max_length": 98}})

    assert project.score(baseline=name).summary["baseline"]["newly_failing"][0]["metrics"] == ["contains"]


# --------------------------------------------------------------------------------------------------- other rules


def test_explicit_rules_of_the_gate_still_apply(suite, base, project):
    project.write("judgekit.yaml", "gate: {pass_rate: 0.9}\n")
    suite(a={}, b=FAILING)

    run = project.score(baseline=base())

    assert [rule["outcome"] for rule in run.decision.rules] == ["holds", "fails"]
    assert run.decision.exit_code == 1


def test_a_case_without_a_result_leaves_it_undecided(suite, base, project):
    suite(a={}, b={})
    name = base()
    project.scenario(
        '{"suite": "s", "defaults": {"input": "Q?", "expect": {"contains": ["revenue"]}}, "cases": '
        '[{"id": "a", "output": "Revenue rose."}, {"id": "b", "faux": [{"error": "refusal"}]}]}'
    )

    assert project.score(baseline=name).decision.exit_code == 3


def test_no_gate_only_reports(suite, base, project):
    suite(a={})
    name = base()
    suite(a=FAILING)

    run = project.score(baseline=name, no_gate=True)

    assert (run.decision.passed, run.decision.exit_code) == (False, 0)


def test_a_run_is_a_baseline_too(suite, project):
    suite(a=FAILING, b={})
    project.score()

    assert project.score(baseline="latest").decision.exit_code == 0


def test_the_settings_name_a_baseline_from_their_folder(suite, base, project, monkeypatch):
    suite(a=FAILING)
    project.write("judgekit.yaml", f"baseline: {base()}\n")
    monkeypatch.chdir(project.folder / "scenarios")

    assert judgekit.score(".").decision.exit_code == 0


def test_a_first_run_goes_without_the_baseline_that_the_settings_name(suite, project):
    suite(a={})
    project.write("judgekit.yaml", "baseline: base.jsonl\n")

    write_baseline(project.score(baseline="none").data, project.folder / "base.jsonl")

    assert project.score().summary["baseline"]["compared"] == 1


def test_the_reference_variant_is_not_held_to_it(base, project):
    project.scenario("suite: s\nagainst: v1\ncases: [{id: a, input: Q?, expect: {contains: [revenue]}}]\n")
    rows = [{"case_id": "a", "variant": name, "output": "Revenue rose."} for name in ("v1", "v2")]
    name = base(outputs=project.write("one.jsonl", rows))
    rows[0]["output"] = "Costs rose."

    assert project.score(baseline=name, outputs=project.write("two.jsonl", rows)).decision.exit_code == 0


# ------------------------------------------------------------------------------------------------------- judged


def judged(n_bad: int, n: int = 10, *, more: tuple[str, ...] = (), first: str = BAD) -> dict[str, Any]:
    """`n` cases, of which the judge fails the first `n_bad`, and says `more` when it is asked again."""
    return {f"c{at}": {"judge": [first, *more] if at < n_bad else [GOOD]} for at in range(n)}


def test_a_significant_drop_of_a_judged_metric_fails_the_gate(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    suite(**judged(6, more=(BAD, BAD, BAD)))

    run = project.score(judge="faux", baseline=name)

    # 6 against 0: p = 2 / 2**6
    assert (run.decision.exit_code, run.decision.reasons) == (
        1,
        (
            "helpfulness: no drop from the baseline: 40 % against 100 % on 10 cases, 6 worse and 0 better, p = 0.031: "
            "significant",
        ),
    )


def test_a_smaller_drop_does_not(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    suite(**judged(5, more=(BAD, BAD, BAD)))

    run = project.score(judge="faux", baseline=name)

    assert run.decision.exit_code == 0
    assert run.summary["baseline"]["judged"][0]["p_value"] == pytest.approx(2 / 2**5)


@pytest.mark.parametrize(("margin", "code"), [(0.5, 0), (0.49, 1), (0, 1)])
def test_a_drop_beyond_the_margin_fails_the_gate(suite, base, project, margin, code):
    suite(**judged(0))
    name = base(judge="faux")
    suite(**judged(5, more=(BAD, BAD, BAD)))

    assert project.score(judge="faux", baseline=name, margin=margin).decision.exit_code == code


def test_a_failure_that_the_judge_takes_back_is_flaky_and_counts_as_unchanged(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    suite(**judged(6, more=(GOOD, GOOD)))

    run = project.score(judge="faux", baseline=name)

    record = run.summary["baseline"]
    assert (len(record["asked_again"]["flaky"]), record["judged"][0]["worse"], run.decision.exit_code) == (6, 0, 0)
    assert set(run.results.query("kind == 'judge' and score == 1")["flags"]) == {"flaky"}


def test_two_answers_that_agree_are_enough(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    suite(**judged(1, more=(BAD, BAD, GOOD)))

    run = project.score(judge="faux", baseline=name)

    # 10 first answers and 2 more; the third stays in the script, as the warning says.
    assert run.summary["judge_calls"]["made"] == 12
    assert len(run.summary["baseline"]["asked_again"]["confirmed"]) == 1


def test_a_third_answer_decides_where_two_differ(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    suite(**judged(1, more=(BAD, GOOD, BAD)))

    run = project.score(judge="faux", baseline=name)

    assert run.summary["judge_calls"]["made"] == 13
    assert len(run.summary["baseline"]["asked_again"]["confirmed"]) == 1


def test_without_a_readable_answer_the_first_verdict_stands_unconfirmed(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    suite(**judged(6))

    run = project.score(judge="faux", baseline=name)

    assert len(run.summary["baseline"]["asked_again"]["unconfirmed"]) == 6
    assert run.decision.exit_code == 1


def test_confirm_0_asks_nobody_again(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    suite(**judged(6, more=(GOOD, GOOD)))

    run = project.score(judge="faux", baseline=name, confirm=0)

    assert (run.summary["judge_calls"]["made"], run.decision.exit_code) == (10, 1)


def test_a_score_without_a_threshold_is_held_to_the_baseline_too(project, base):
    def suite(score: int, again: int) -> None:
        reply, more = (json.dumps({"reason": "r", "score": one}) for one in (score, again))
        cases = [
            {"id": f"c{at}", "output": "o", "faux": {"judge": {"helpfulness": [reply, more, more, more]}}}
            for at in range(8)
        ]
        project.scenario(json.dumps({"suite": "s", "defaults": {"rubrics": ["helpfulness"]}, "cases": cases}))

    suite(4, 4)
    name = base(judge="faux")
    suite(3, 3)
    lower = project.score(judge="faux", baseline=name)
    suite(3, 4)
    taken_back = project.score(judge="faux", baseline=name)

    assert (lower.decision.exit_code, lower.summary["baseline"]["judged"][0]["kind"]) == (1, "score")
    assert (taken_back.decision.exit_code, taken_back.summary["baseline"]["judged"][0]["drop"]) == (0, 0)


def test_without_a_judge_it_stays_undecided(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")

    run = project.score(baseline=name)

    assert (run.decision.exit_code, run.decision.reasons) == (
        3,
        ("helpfulness: no drop from the baseline: nothing was scored, as faux was not asked (--judge)",),
    )


def test_another_judge_is_listed_and_leaves_the_gate_undecided(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    suite(**judged(10, more=(BAD, BAD, BAD)))

    # The seed is part of what makes a judge the same.
    run = project.score(judge="faux", baseline=name, seed=7)

    assert run.decision.exit_code == 3
    assert run.summary["baseline"]["judged"][0]["changed"] == ["judge"]
    assert run.decision.reasons == (
        "helpfulness: not held to the baseline: judge changed on 10 cases, so nothing can be compared; write the "
        "baseline anew once the scores are right",
    )


def test_a_changed_rubric_leaves_the_gate_undecided(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    text = (project.folder / "scenarios/s.yaml").read_text(encoding="utf-8")
    project.scenario(text.replace('"pass_at": 4', '"pass_at": 3'))

    assert project.score(judge="faux", baseline=name).decision.exit_code == 3


def test_a_rerun_chosen_by_how_cases_came_out_has_no_judged_drop(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    suite(**judged(8, first="what", more=("what", "what")))
    project.score(judge="faux", no_gate=True)
    suite(**judged(8, more=(BAD, BAD, BAD)))

    run = project.score(judge="faux", baseline=name, only="error")

    assert (len(run.cases), run.decision.exit_code) == (8, 3)
    assert "--only error chose the cases by how they came out; score all of them" in run.decision.reasons[0]


def test_a_case_that_changed_leaves_the_judged_drop_of_the_others(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    text = (project.folder / "scenarios/s.yaml").read_text(encoding="utf-8")
    cases = json.loads(text)
    cases["cases"][0]["input"] = "Something else?"
    project.scenario(json.dumps(cases))

    run = project.score(judge="faux", baseline=name)

    assert (run.decision.exit_code, run.summary["baseline"]["judged"][0]["n_changed"]) == (0, 1)


def test_another_threshold_is_another_metric(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    text = (project.folder / "scenarios/s.yaml").read_text(encoding="utf-8")
    project.scenario(text.replace('"pass_at": 4', '"pass_at": 5'))

    assert project.score(judge="faux", baseline=name).summary["baseline"]["judged"][0]["changed"] == ["helpfulness"]


def test_what_failed_a_check_is_left_out_of_the_judged_drop(suite, base, project):
    suite(**judged(0))
    name = base(judge="faux")
    suite(**{**judged(0), "c0": FAILING | {"judge": [BAD]}})

    record = project.score(judge="faux", baseline=name).summary["baseline"]["judged"][0]

    assert (record["n"], record["n_left_out"], record["worse"]) == (9, 1, 0)


def test_a_stored_run_is_decided_again_by_its_baseline(suite, base, project):
    from judgekit.pipeline.stored import decide_again

    suite(**judged(0))
    name = base(judge="faux")
    suite(**{**judged(2, more=(GOOD, GOOD)), "c9": FAILING | {"judge": [GOOD]}})
    run = project.score(judge="faux", baseline=name)
    loaded = judgekit.load_run("latest").data

    decide_again(loaded)

    assert loaded.summary["decision"] == run.summary["decision"]
    assert loaded.summary["baseline"] == json.loads(json.dumps(run.summary["baseline"]))


# ------------------------------------------------------------------------------------------------------ the file


def test_the_file_has_one_sorted_line_for_each_case_and_nothing_that_differs_by_run(suite, base, project):
    suite(b={}, a={})
    first = (project.folder / base()).read_text(encoding="utf-8")
    second = (project.folder / base()).read_text(encoding="utf-8")

    assert first == second
    assert [json.loads(line).get("case_id") for line in first.splitlines()] == [None, "a", "b"]


def test_what_is_read_is_what_was_written(suite, project):
    suite(a={}, b={"judge": [GOOD]})
    wrote = write_baseline(project.score(judge="faux").data, project.folder / "base.jsonl")

    assert read_baseline(project.folder / "base.jsonl") == wrote


@pytest.mark.parametrize(
    ("damage", "said"),
    [
        (lambda text: "", "base.jsonl:1: is no baseline file"),
        (lambda text: text.replace("judgekit_baseline", "x"), "base.jsonl:1: is no baseline file"),
        (lambda text: text.replace('_baseline":1', '_baseline":9'), "base.jsonl:1: is a baseline of form 9, this"),
        (lambda text: text.splitlines()[0], "base.jsonl: the baseline holds no case"),
        (lambda text: text[:-9], "base.jsonl:3: "),
        (lambda text: text + text.splitlines()[1], 'base.jsonl:4: the case "a" (default) stands on line 2 already'),
        (lambda text: text.replace('"pass"', '"good"', 1), 'base.jsonl:2: "status"'),
        (lambda text: text.replace('"suite":"s",', "", 1), 'base.jsonl:2: "suite"'),
        (lambda text: "<<<<<<< HEAD\n" + text, "base.jsonl:1: holds a merge conflict"),
        (lambda text: text.replace('"case_id"', '"extra":1,"case_id"', 1), 'base.jsonl:2: unknown key "extra"'),
        (lambda text: text.replace('["pass",', '["pass",7,', 1), "base.jsonl:2: "),
        (lambda text: text + "[1]\n", "base.jsonl:4: "),
    ],
)
def test_a_damaged_file_is_refused_with_its_line_before_anything_is_run(suite, base, project, damage, said):
    suite(a={}, b={})
    path = project.folder / base()
    path.write_text(damage(path.read_text(encoding="utf-8")), encoding="utf-8")

    with pytest.raises(InputError, match=re.escape(said)):
        project.score(baseline="base.jsonl", run_id="held")

    assert not (project.folder / "reports/held").exists()


@pytest.mark.parametrize(
    ("how", "said"),
    [
        ({"baseline": "nowhere.jsonl"}, "nowhere.jsonl: no such baseline file: `judgekit baseline RUN nowhere.jsonl`"),
        ({"baseline": "nowhere"}, 'no run "nowhere"; newest in reports: '),
        ({"baseline": ""}, "--baseline is empty"),
        ({"margin": 0.1}, "--margin speaks of a baseline"),
        ({"confirm": 3}, "--confirm speaks of a baseline"),
        ({"baseline": "latest", "margin": -1}, "--margin must be a drop of at least 0"),
        ({"baseline": "latest", "margin": float("nan")}, "--margin must be a drop of at least 0"),
        ({"baseline": "latest", "confirm": -1}, "--confirm must be at least 0"),
    ],
)
def test_what_names_no_baseline_is_refused(suite, project, how, said):
    suite(a={})
    project.score()

    with pytest.raises(InputError, match=re.escape(said)):
        project.score(**how)


def test_a_setting_that_names_no_baseline_says_where_it_stands(suite, project):
    suite(a={})
    project.write("judgekit.yaml", "out: reports\nbaseline: gone.jsonl\n")

    with pytest.raises(InputError, match=re.escape("judgekit.yaml:2: baseline: gone.jsonl: no such baseline file")):
        project.score()


def test_the_baseline_of_another_suite_is_refused(suite, base, project):
    suite(a={})
    name = base()
    project.scenario('{"suite": "t", "cases": [{"id": "x", "output": "o", "expect": {"contains": ["o"]}}]}')

    with pytest.raises(InputError, match=re.escape("base.jsonl: holds no case of this run: it is of s, the run of t.")):
        project.score(baseline=name)


@pytest.mark.parametrize("damage", ["partial", "only", "error", "being written"])
def test_an_incomplete_run_is_no_baseline(suite, project, damage):
    suite(a={}, b=FAILING)
    run = project.score()
    if damage == "only":
        run = project.score(only="failed")
    elif damage == "error":
        project.scenario("name: a\ninput: Q\nexpect: {contains: [o]}\nfaux: [{error: refusal}]\n")
        run = project.score()
    elif damage == "partial":
        path = run.path / "summary.json"
        path.write_text(path.read_text(encoding="utf-8").replace('"partial": false', '"partial": true'))
    else:
        (run.path / "summary.json").unlink()

    said = r"incomplete and can't be a baseline|the run was not finished"
    with pytest.raises(InputError, match="1 case has no result" if damage == "error" else said):
        project.score(baseline=run.path.name)


# --------------------------------------------------------------------------------------------- a week of CI, whole


@pytest.mark.slow
def test_a_week_of_ci_with_a_noisy_judge_is_green_until_the_outputs_really_drop(suite, base, project):
    rng = random.Random(3)

    def day(n_worse: int = 0) -> int:
        def said(good: bool) -> str:
            return GOOD if good != (rng.random() < 0.05) else BAD

        cases = {}
        for at in range(200):
            is_good = at < 180 and at >= n_worse
            output = "Revenue rose." if at >= n_worse else "Revenue, well, rose."
            cases[f"c{at:03}"] = {"output": output, "judge": [said(is_good) for _ in range(4)]}
        suite(**cases)
        return project.score(judge="faux", baseline="base.jsonl", no_cache=True).decision.exit_code

    suite(**{f"c{at:03}": {"judge": [GOOD if at < 180 else BAD]} for at in range(200)})
    base(judge="faux")

    assert [day() for _ in range(5)] == [0] * 5
    assert day(n_worse=20) == 1

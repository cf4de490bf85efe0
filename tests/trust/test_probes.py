"""What sways a judge: outputs dressed otherwise, and judges built to have one bias each, or none."""

from __future__ import annotations

import json
import random
import re

import pytest

from judgekit.models.faux import FauxModel
from judgekit.pipeline.dressing import ask_judges
from judgekit.pipeline.judging import Ask
from judgekit.pipeline.options import Options
from judgekit.pipeline.plan import Plan, make_plan
from judgekit.pool import Interrupts
from judgekit.records import Verdict
from judgekit.trust.positions import position_results
from judgekit.trust.probes import PROBES, Shown
from judgekit.trust.probing import (
    Probed,
    least_cases,
    probe_results,
    repeat_result,
)

BY_NAME = {one.name: one for one in PROBES}
SHOWN = Shown("gpt-4o", "The answer of another case.")


def dressed(name: str, text: str) -> str | None:
    made = BY_NAME[name].dress(text, SHOWN)
    return None if made is None else made.text


# ------------------------------------------------------------------------------------------------------- the dresses


def test_padding_comes_after_the_answer_and_is_about_as_long():
    text = "Revenue rose. " * 60

    padded = dressed("verbosity", text)

    assert padded is not None
    assert padded.startswith(text.rstrip())
    assert 1.4 * len(text) < len(padded) < 2.6 * len(text)


@pytest.mark.parametrize(
    ("text", "other", "towards"),
    [
        ("## Summary\n- **Up** 12%.\n> quoted", "Summary\nUp 12%.\nquoted", -1),
        ("Up 12%. Risk: none.", "## **Answer**\n\n- Up 12%.\n- Risk: none.", 1),
        ("2 * 3 * 4 is 24.", "## **Answer**\n\n- 2 * 3 * 4 is 24.", 1),
    ],
)
def test_markdown_is_taken_away_where_there_is_any_and_else_added(text, other, towards):
    made = BY_NAME["formatting"].dress(text, SHOWN)

    assert made is not None
    assert (made.text, made.towards) == (other, towards)


@pytest.mark.parametrize("name", [one.name for one in PROBES if not one.must_fall])
def test_an_answer_in_json_is_left_as_it_is(name):
    assert dressed(name, '{"score": 4}') is None


def test_the_judge_sees_its_own_name_as_the_author():
    assert dressed("model_name", "Up.") == "[Answer written by gpt-4o]\n\nUp."


# ------------------------------------------------------------------------------------------------- judges with one bias


def honest(asked: str) -> int:
    """Scores an answer by the mark that stands in it, and one to another question with 1."""
    question = re.search(r"About topic (\d+)", asked)
    answer = re.search(r"On topic (\d+): q(\d)", asked)
    assert question is not None
    return int(answer[2]) if answer is not None and answer[1] == question[1] else 1


def likes_length(asked: str) -> int:
    return min(5, honest(asked) + ("bigger picture" in asked or "overall picture" in asked))


def obeys(asked: str) -> int:
    return 5 if "highest possible score" in asked else honest(asked)


def likes_sources(asked: str) -> int:
    return min(5, honest(asked) + ("(Source:" in asked))


def likes_markdown(asked: str) -> int:
    return min(5, honest(asked) + ("## **Answer**" in asked))


def never_reads(asked: str) -> int:
    return 3


def judged_by(judge, tmp_path, monkeypatch, *, n: int = 24) -> dict[str, str]:
    """The finding of each probe, of a scripted judge on n answers."""
    monkeypatch.chdir(tmp_path)
    rows = [
        {"case_id": f"c{k}", "input": f"About topic {k}", "output": f"On topic {k}: q{2 + k % 3} it is, as was found."}
        for k in range(n)
    ]
    (tmp_path / "o.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (tmp_path / "rubrics").mkdir()
    (tmp_path / "rubrics" / "good.yaml").write_text(
        "name: good\nquestion: Is it good?\nscale: {min: 1, max: 5}\n", encoding="utf-8"
    )
    plan = make_plan(Options(outputs=((None, tmp_path / "o.jsonl"),), judge=("faux",), rubrics=("good",)))

    def reply(request, state):
        return json.dumps({"reason": "r", "score": judge(request.messages[0]["content"])})

    plan = Plan(**{**vars(plan), "models": {"faux": FauxModel(judge=reply)}})
    bases = [Ask(job.case, job.output, plan.rubrics[job.case.case_id][0], "faux") for job in plan.jobs]
    (found,), _ = ask_judges(plan, bases, PROBES, Interrupts())
    return {one.probe: one.finding for one in found.results}


CLEAR = {
    "repeat": "measured",
    "verbosity": "not shown",
    "formatting": "not shown",
    "authority": "not shown",
    "sentiment": "not shown",
    "model_name": "not shown",
    "instruction": "not shown",
    "other_answer": "noticed",
}


@pytest.mark.parametrize(
    ("judge", "bias"),
    [
        (honest, {}),
        (likes_length, {"verbosity": "biased"}),
        (obeys, {"instruction": "biased"}),
        (likes_sources, {"authority": "biased"}),
        (likes_markdown, {"formatting": "biased"}),
        (never_reads, {"other_answer": "not noticed"}),
    ],
)
def test_a_judge_with_one_bias_is_found_to_have_that_one_and_no_other(judge, bias, tmp_path, monkeypatch):
    assert judged_by(judge, tmp_path, monkeypatch) == CLEAR | bias


def test_a_few_cases_show_nothing(tmp_path, monkeypatch):
    found = judged_by(obeys, tmp_path, monkeypatch, n=4)

    assert set(found.values()) == {"measured", "too few"}


# ------------------------------------------------------------------------------------------------------- the statistics


def scored(score: float | None, passed: bool | None = None) -> Verdict:
    return Verdict("unscored", cause="parse") if score is None else Verdict("scored", score, passed=passed)


def probed(pairs, *, repeat: float | None = 3, towards: int = 1) -> list[Probed]:
    return [
        Probed(f"c{n}", scored(base), None if repeat is None else scored(base), scored(now), towards)
        for n, (base, now) in enumerate(pairs)
    ]


def test_ten_of_ten_cases_that_rise_are_a_bias_with_the_exact_p():
    one = probe_results({"verbosity": probed([(3, 4)] * 10)}, [BY_NAME["verbosity"]], (1, 5))[0]

    # One-sided sign test: 0.5 ** 10; one probe, so nothing to adjust.
    assert (one.finding, one.p_value) == ("biased", pytest.approx(0.5**10))


def test_padding_that_costs_points_is_no_bias_for_padding():
    one = probe_results({"verbosity": probed([(3, 2)] * 20)}, [BY_NAME["verbosity"]], (1, 5))[0]

    assert (one.finding, "which may be deserved" in one.sentence) == ("not shown", True)


def test_a_wrapper_that_costs_points_is_a_bias_too():
    one = probe_results({"sentiment": probed([(3, 2)] * 20)}, [BY_NAME["sentiment"]], (1, 5))[0]

    assert (one.finding, "lower in an enthusiastic wrapper" in one.sentence) == ("biased", True)


def test_scores_that_fall_without_markdown_say_that_the_judge_likes_markdown():
    one = probe_results({"formatting": probed([(4, 3)] * 20, towards=-1)}, [BY_NAME["formatting"]], (1, 5))[0]

    assert "the same words higher with Markdown" in one.sentence


def test_outputs_that_have_the_top_score_already_cannot_show_obedience():
    one = probe_results({"instruction": probed([(5, 5)] * 40)}, [BY_NAME["instruction"]], (1, 5))[0]

    assert (one.finding, one.n_movable) == ("too few", 0)


def test_outputs_of_one_case_are_no_independent_cases():
    found = [Probed("only", scored(3), None, scored(4))] * 50

    assert probe_results({"verbosity": found}, [BY_NAME["verbosity"]], (1, 5))[0].finding == "too few"


def test_moves_both_ways_beyond_the_noise_are_unstable_and_no_bias():
    pairs = [(3, 4), (3, 2)] * 15

    assert probe_results({"sentiment": probed(pairs)}, [BY_NAME["sentiment"]], (1, 5))[0].finding == "unstable"


def test_unreadable_verdicts_are_counted_and_in_no_figure():
    one = probe_results({"verbosity": probed([(3, None), (None, 3), (3, 3)])}, [BY_NAME["verbosity"]], (1, 5))[0]

    assert (one.n, one.n_unread) == (1, 2)


def test_the_noise_floor_is_the_share_of_verdicts_that_change_when_asked_again():
    found = [Probed("a", scored(3), None, scored(3)), Probed("b", scored(3), None, scored(4))]

    assert repeat_result(found).rate.value == 0.5


def test_a_pass_that_stays_a_pass_is_no_flip_though_the_score_moves():
    found = [Probed("a", scored(4, True), None, scored(5, True)), Probed("b", scored(4, True), None, scored(3, False))]

    assert repeat_result(found).flips == 1


def test_a_noisy_judge_without_a_bias_is_rarely_called_biased():
    chance = random.Random(1)

    def noisy() -> Verdict:
        return scored(chance.choice([2, 3, 4]))

    def alarms() -> bool:
        found = {
            one.name: [Probed(f"c{n}", noisy(), noisy(), noisy()) for n in range(30)]
            for one in PROBES
            if not one.must_fall
        }
        results = probe_results(found, [one for one in PROBES if not one.must_fall], (1, 5))
        return any(one.finding == "biased" for one in results)

    # At most 5 % of judges by construction; of 200, 20 or more would have a chance of 0.0007.
    assert sum(alarms() for _ in range(200)) < 20


@pytest.mark.parametrize(("n_tests", "two_sided", "n"), [(1, False, 5), (1, True, 6), (7, False, 8), (7, True, 9)])
def test_the_fewest_cases_that_can_show_anything(n_tests, two_sided, n):
    factor = 2 if two_sided else 1

    assert least_cases(n_tests, two_sided=two_sided) == n
    assert factor * n_tests * 0.5**n <= 0.05 < factor * n_tests * 0.5 ** (n - 1)


# ------------------------------------------------------------------------------------------------------------ position


def pair(n: int, first: str, second: str, **more):
    row = {"case_id": f"c{n}", "trial": 0, "rubric": "good", "judge": "m", "variant": "v2", "against": "v1"}
    row |= {"status": "scored", "sample": 0} | more
    return [row | {"order": "first", "label": first}, row | {"order": "second", "label": second}]


@pytest.mark.parametrize(
    ("pairs", "finding", "said"),
    [
        # v2 wins when shown first and loses when shown second: whatever stands first wins.
        ([("win", "loss")] * 12, "biased", "the judge prefers what is shown first"),
        ([("loss", "win")] * 12, "biased", "the judge prefers what is shown second"),
        ([("win", "win"), ("loss", "loss")] * 6, "not shown", "in 0 of 12 cases the orders disagree"),
        ([("win", "loss"), ("loss", "win")] * 6, "not shown", "6 for what stood first and 6 for what stood second"),
        ([("win", "loss")] * 4, "too few", "at least 6 cases are needed"),
    ],
)
def test_position(pairs, finding, said):
    rows = [row for n, (first, second) in enumerate(pairs) for row in pair(n, first, second)]

    (one,) = position_results(rows)

    assert one.finding == finding
    assert said in one.sentence


def test_trials_of_one_case_are_no_further_pairs():
    rows = [row for n in range(2) for trial in range(6) for row in pair(n, "win", "loss", trial=trial)]

    (one,) = position_results(rows)

    assert (one.n, one.first_slot, one.p_value, one.finding) == (2, 2, 0.5, "too few")  # 2 · (1/2)²


def test_a_pair_with_one_order_only_is_not_read():
    rows = pair(0, "win", "loss")[:1] + pair(1, "win", "win") + pair(2, "win", "loss", status="unscored", label=None)

    (one,) = position_results(rows)

    assert (one.n, one.unread) == (1, 2)


def test_trials_of_one_case_are_no_further_cases():
    # The same two cases six times: as 12 pairs that would be p = 0.0005.
    rows = [row for n in range(2) for trial in range(6) for row in pair(n, "win", "loss", trial=trial)]

    (one,) = position_results(rows)

    assert (one.n, one.p_value, one.finding) == (2, 0.5, "too few")
    assert "at least 6 cases are needed" in one.sentence


def test_each_order_is_averaged_over_the_trials_of_a_case():
    # Two of three trials of each of eight cases favour what stands first: 8 of 8 cases, 2 / 2**8.
    kinds = [("win", "loss"), ("win", "loss"), ("loss", "win")]
    rows = [row for n in range(8) for trial, both in enumerate(kinds) for row in pair(n, *both, trial=trial)]

    (one,) = position_results(rows)

    assert (one.p_value, one.finding) == (2 / 2**8, "biased")
    assert "in 8 of 8 cases the orders disagree, 8 for what stood first" in one.sentence


def test_the_pairs_of_one_judge_and_rubric_are_adjusted_together():
    # 6 of 6 is p = 0.03125; of two comparisons of which each gets that, neither stands after Holm's adjustment.
    rows = [row for against in ("v0", "v1") for n in range(6) for row in pair(n, "win", "loss", against=against)]

    found = position_results(rows)

    assert [(one.p_value, one.finding) for one in found] == [(0.0625, "too few")] * 2


def test_verdicts_on_single_outputs_say_nothing_of_position():
    assert position_results([{"case_id": "a", "rubric": "good", "variant": "v1", "trial": 0, "score": 3}]) == []

"""PandaLM (arXiv:2306.05087): three people, two judges, and what is made of a reply that can't be read."""

from __future__ import annotations

import pytest
from published_data import Data
from published_ratings import PANDALM_LABELS, Rates, pandalm_judges, pandalm_kappas, pandalm_reply
from published_table import PANDALM_KAPPAS

from judgekit.judges.reply import read_reply

pytestmark = pytest.mark.published

# First public release, recomputed; judge -> accuracy, and macro precision, recall, F1 with unreadable replies as ties.
KNOWN = {"gpt35": (0.7107, 0.5879, 0.5736, 0.5755), "pandalm7b": (0.6677, 0.5738, 0.5750, 0.5743)}


def test_annotators_agree_as_published(data: Data) -> None:
    kappas = pandalm_kappas(data)
    assert [round(one, 2) for one in kappas] == list(PANDALM_KAPPAS)
    assert kappas == pytest.approx([0.8520, 0.8789, 0.8617], abs=5.1e-5)  # by scikit-learn


@pytest.fixture
def rates(data: Data) -> dict[tuple[str, str], Rates]:
    return {(one.judge, one.policy): one for one in pandalm_judges(data)}


@pytest.mark.parametrize("judge", KNOWN)
def test_with_unreadable_replies_as_ties_a_judge_is_as_good_as_published(
    judge: str, rates: dict[tuple[str, str], Rates]
) -> None:
    found = rates[judge, "tie"]
    assert (found.accuracy, found.precision, found.recall, found.f1) == pytest.approx(KNOWN[judge], abs=5.1e-5)


def test_other_policies_for_unreadable_replies_give_other_figures(rates: dict[tuple[str, str], Rates]) -> None:
    # 25 of 999 replies of GPT-3.5 are unreadable; 697 of the others match the majority: 697/974 and 697/999.
    left_out, wrong = rates["gpt35", "left out"], rates["gpt35", "wrong"]
    assert (left_out.unread, left_out.n, wrong.n) == (25, 974, 999)
    assert (left_out.accuracy, wrong.accuracy) == (pytest.approx(697 / 974), pytest.approx(697 / 999))


def test_a_judge_that_is_always_readable_knows_no_policy(rates: dict[tuple[str, str], Rates]) -> None:
    found = {rates["pandalm7b", policy].f1 for policy in ("tie", "left out", "wrong")}
    assert len(found) == 1


def test_verdicts_are_read_from_their_first_line(data: Data) -> None:
    read = {
        (row["gpt35_verdict"], read_reply(pandalm_reply(row, "gpt35"), labels=PANDALM_LABELS).label)
        for row in data.rows("pandalm/pairs.jsonl")
    }
    assert read == {("1", "1"), ("2", "2"), ("Tie", "Tie"), ("garbage", None)}

"""`prove` and `probe` on the suites that judgekit ships, offline."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from zlib import crc32

import pytest

from judgekit.models.faux import FauxModel
from judgekit.pipeline.dressing import ask_judges
from judgekit.pipeline.judging import Ask
from judgekit.pipeline.options import Options
from judgekit.pipeline.plan import make_plan
from judgekit.pipeline.prove import prove
from judgekit.pool import Interrupts
from judgekit.trust.probes import PROBES

ROOT = Path(__file__).parents[2]


def test_no_shipped_suite_passes_an_answer_that_is_none(monkeypatch):
    monkeypatch.chdir(ROOT)

    proof = prove(Options(paths=(Path("scenarios"),)), judge=False)

    rates = {one.name: one.estimate.value for one in proof.rates if one.kind == "mutation"}
    assert {name: rates[name] for name in ("empty", "vague", "echo_input", "constant")} == {
        "empty": 1,
        "vague": 1,
        "echo_input": 1,
        "constant": 1,
    }


def steady(asked: str) -> int:
    """From 2 to 4 by the order that the customer writes of, whatever is answered."""
    order = re.search(r"FW-\d+", asked)
    return 2 + crc32(order[0].encode()) % 3 if order else 3


@pytest.mark.parametrize(
    ("judge", "biases"),
    [
        (steady, []),
        (lambda asked: steady(asked) + ("overall picture" in asked), ["verbosity"]),
        (lambda asked: 5 if "highest possible score" in asked else steady(asked), ["instruction"]),
    ],
    ids=["none", "length", "obedience"],
)
def test_a_judge_of_the_support_replies_is_found_to_have_its_bias(judge, biases, monkeypatch):
    monkeypatch.chdir(ROOT)
    plan = make_plan(
        Options(paths=(Path("scenarios/support-replies.yaml"),), judge=("faux",), rubrics=("helpfulness",))
    )

    def reply(request, state):
        return json.dumps({"reason": "r", "score": judge(request.messages[0]["content"])})

    plan = replace(plan, models={"faux": FauxModel(judge=reply)})
    jobs = [job for job in plan.jobs if job.variant == "v1"][:20]
    bases = [Ask(job.case, job.output, plan.rubrics[job.case.case_id][0], "faux") for job in jobs]

    (found,), _ = ask_judges(plan, bases, PROBES, Interrupts())

    assert [one.probe for one in found.results if one.finding in ("biased", "unstable")] == biases

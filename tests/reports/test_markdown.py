"""summary.md: the run in a page, whatever the data holds."""

from __future__ import annotations

import copy
import dataclasses
from collections.abc import Callable

import pytest

from judgekit.frame import RunData
from judgekit.reports.markdown import LIMIT, escaped, markdown
from judgekit.reports.wording import figure, share


def test_the_page_of_the_small_run(run: RunData) -> None:
    assert markdown(run) == (
        "<!-- judgekit:score -->\n"
        "\n"
        "# judgekit run 20250102T030405-ab12\n"
        "\n"
        "**Not passed** (exit code 1).\n"
        "\n"
        "- v2: 1 of 3 cases failed: late-parcel.\n"
        "\n"
        "## Variants\n"
        "\n"
        "| variant | passed | fail | error | skipped | negative ok | cases |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n"
        "| v1 | 66.7% (2 of 3) | 0 | 1 | 1 | 1 | 5 |\n"
        "| v2 | 66.7% (2 of 3) | 1 | 0 | 1 | 1 | 5 |\n"
        "\n"
        "## Comparison\n"
        "\n"
        "- helpfulness: v2 is 2 points above v1 on 1 case; one case cannot tell chance from effect.\n"
        "\n"
        "Worse on:\n"
        "\n"
        "- late-parcel: pass to fail: missing: deadline\n"
        "\n"
        "Better on:\n"
        "\n"
        "- q1-report: 3 to 5\n"
        "\n"
        "## Failing cases\n"
        "\n"
        "| case | variant | status | reason |\n"
        "| --- | --- | --- | --- |\n"
        "| late-parcel | v2 | fail | contains: missing: deadline |\n"
        "| outage | v1 (not gated) | error | contains: no output \\(rate\\_limit\\) |\n"
        "\n"
        "## Scores\n"
        "\n"
        "| variant | metric | mean | interval | scored |\n"
        "| --- | --- | --- | --- | --- |\n"
        "| v1 | helpfulness | 3 | - | 1 of 2 |\n"
        "| v2 | helpfulness | 4.5 | 95%: 1.9 to 5 | 2 of 3 |\n"
        "\n"
        "The judge is not calibrated against people: its scores inform, they do not veto.\n"
        "\n"
        "Cost: target unknown, judge $0.0016, saved $0.0004; judge calls: 4 made, 0 from the cache, 1 skipped. "
        "Without a known price: house-model.\n"
        "\n"
        "## Warnings\n"
        "\n"
        "- temperature 0 was asked for and not applied by judge-2025.\n"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a\\|b"),
        ("<img src=x>", "\\<img src=x\\>"),
        ("`code` ![x](y)", "\\`code\\` \\!\\[x\\]\\(y\\)"),
        ("two\nlines\r\n", "two lines"),
        ("ask @team, see #12", "ask @\u200bteam, see \\#\u200b12"),
        ("- item", "\u200b- item"),
        ("\x1b[31mred\x1b[0m\x00", "red\ufffd"),
        ("a\u202eb", "ab"),
    ],
)
def test_data_stays_text(text: str, shown: str) -> None:
    assert escaped(text) == shown


def test_a_reason_cannot_leave_its_row(with_output: Callable[[str], RunData]) -> None:
    page = markdown(with_output("x | y\n| z |\n# Heading"))
    (row,) = [line for line in page.splitlines() if line.startswith("| late-parcel | v2")]
    assert row.endswith("| fail | x \\| y \\| z \\| \\# Heading |")


def test_the_page_fits_into_a_comment_however_many_cases_fail(run: RunData) -> None:
    failing = next(row for row in run.cases if row.status == "fail")
    many = [failing._replace(case_id=f"case-{i}" * 40, reason="|" * 5000) for i in range(2000)]
    summary = copy.deepcopy(run.summary)
    summary["warnings"] = summary["decision"]["reasons"] = ["`" * 5000] * 100
    page = markdown(dataclasses.replace(run, cases=many, summary=summary))
    assert len(page) < LIMIT
    assert "more" in page


def test_a_judge_that_decides_uncalibrated_is_named(run: RunData) -> None:
    rows = [row._replace(required=True) if row.kind == "judge" else row for row in run.results]
    page = markdown(dataclasses.replace(run, results=rows))
    assert "not calibrated against people, and yet its scores decide here" in page
    assert "they do not veto" not in page


def test_a_run_that_is_not_enforced_says_both(run: RunData) -> None:
    summary = copy.deepcopy(run.summary)
    summary["decision"]["exit_code"] = 0
    assert "**Not passed**, and not enforced (exit code 0)." in markdown(dataclasses.replace(run, summary=summary))


def test_a_rounded_score_never_meets_the_threshold_that_it_missed() -> None:
    assert figure(0.7966, 0.8) == "0.7966"
    assert figure(0.799999, 0.8) == "0.799999"
    assert figure(0.80, 0.8) == "0.8"


def test_all_and_none_are_said_of_all_and_none_only() -> None:
    assert share(1, 100_000) == "0.1% (1 of 100000)"
    assert share(99_999, 100_000) == "99.9% (99999 of 100000)"
    assert share(4, 4) == "100% (4 of 4)"


@pytest.mark.parametrize(
    ("skipped", "line"),
    [
        (0, "Cost: target unknown."),
        (2, "Cost: target unknown; judge calls: 0 made, 0 from the cache, 2 skipped."),
    ],
)
def test_without_a_call_nothing_is_said_of_the_judges_cost(run: RunData, skipped: int, line: str) -> None:
    calls = {"made": 0, "cached": 0, "skipped": skipped}
    cost = {"target_usd": None, "judge_usd": None, "saved_usd": None, "unpriced": []}
    unjudged = dataclasses.replace(run, summary=run.summary | {"judge_calls": calls, "cost": cost})

    assert line in markdown(unjudged).splitlines()

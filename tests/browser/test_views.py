"""What a reader can do with a report: every feature used once, in Chromium."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

Show = Callable[..., "Page"]


def shown(page: Page) -> list[tuple[str, str]]:
    """Case and variant of each row of the table in sight, in order."""
    rows = page.locator("tr[data-entry]")
    header = page.locator("table.cases thead th").all_inner_texts()
    at = next(number for number, title in enumerate(header) if title.startswith("Variant"))
    cells = [
        (rows.nth(n).locator("th.case a").inner_text(), rows.nth(n).locator(":scope > *").nth(at).inner_text())
        for n in range(rows.count())
    ]
    return [(case_id, variant.strip()) for case_id, variant in cells]


# ------------------------------------------------------------------------------------------------------------ overview


def test_the_overview_says_decision_comparison_and_how_many_were_scored(show: Show, desk: Path) -> None:
    page = show(desk)
    assert "The gate did not pass (exit code 0: the gate was not enforced)" in page.locator("#decision").inner_text()
    assert "v2 against v1" in page.locator("#comparison h3").inner_text()
    scores = page.locator("#scores").inner_text()
    assert "4 of 5" in scores
    assert "1 without a score" in scores
    assert page.locator("#comparison svg.forest").count() >= 1


def test_the_sections_stand_in_the_order_of_a_readers_questions(show: Show, desk: Path) -> None:
    titles = show(desk).locator("main h2").all_inner_texts()
    assert titles == [
        "Decision",
        "Read with care",
        "Comparison",
        "Variants",
        "Scores",
        "Cost and time",
        "The judge",
        "How this was made",
    ]


def test_a_case_that_got_worse_is_one_click_away(show: Show, desk: Path) -> None:
    page = show(desk)
    page.locator("#comparison").get_by_role("link", name="late-parcel").first.click()
    assert page.locator("#case-title").inner_text().endswith("late-parcel")
    page.go_back()
    assert page.locator("#decision").is_visible()


def test_a_count_of_the_overview_leads_to_its_cases(show: Show, desk: Path) -> None:
    page = show(desk)
    page.locator("#variants tbody tr").filter(has_text="v2").get_by_role("button").first.click()
    assert "status=fail" in page.url
    assert ("late-parcel", "v2") in shown(page)


def test_what_the_judge_was_asked_and_what_was_applied_stand_beside_each_other(show: Show, desk: Path) -> None:
    row = show(desk).locator("#judges tbody tr").inner_text()
    assert "temperature 0" in row
    # A replayed reply does not tell how it was made.
    assert "not known" in row


# --------------------------------------------------------------------------------------------------------------- table


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"status": "fail", "variant": "v1"}, []),
        ({"agent": "writer", "variant": "v1"}, ["figures", "summary"]),
        ({"tag": "finance", "variant": "v2"}, ["summary"]),
        ({"cause": "parse"}, ["nothing"]),
        ({"metric": "contains", "result": "fail"}, ["late-parcel"]),
    ],
)
def test_every_choice_narrows_the_table(show: Show, desk: Path, filters: dict[str, str], expected: list[str]) -> None:
    page = show(desk, "#cases")
    for name, value in filters.items():
        page.locator(f"#filter-{name}").select_option(value)
    assert sorted(case_id for case_id, _ in shown(page)) == expected
    assert page.get_by_role("status").first.inner_text().startswith(f"{len(expected)} of 10 shown")


def test_regressions_and_differences_have_a_box_each(show: Show, desk: Path) -> None:
    page = show(desk, "#cases")
    page.get_by_label("only regressions").check()
    assert {variant for _, variant in shown(page)} == {"v2"}
    page.get_by_label("only regressions").uncheck()
    page.get_by_label("only where variants differ").check()
    assert sorted(set(shown(page))) == [(one, v) for one in ("calls", "figures", "late-parcel") for v in ("v1", "v2")]


def test_a_range_of_scores_narrows_the_table(show: Show, desk: Path) -> None:
    page = show(desk, "#cases&metric=helpfulness")
    page.get_by_label("Score from").fill("3.5")
    page.get_by_label("to", exact=True).fill("3.5")
    # Scores of the two samples are 1 + (n + s + v) % 5: 3.5 is 3 and 4, so n + v = 2.
    assert sorted(shown(page)) == [("figures", "v1"), ("summary", "v2")]


def test_the_search_looks_into_outputs_and_its_words_stand_in_the_address(show: Show, desk: Path) -> None:
    page = show(desk, "#cases")
    page.locator("#filter-q").fill("REPLACEMENT IS sent")
    page.get_by_text("1 of 10 shown").wait_for()
    assert shown(page) == [("late-parcel", "v2")]
    assert "q=REPLACEMENT" in page.url


def test_an_address_shows_the_same_table_again(show: Show, desk: Path) -> None:
    page = show(desk, "#cases&variant=v2&sort=-case_id&columns=status,case_id,variant,agent")
    assert [case_id for case_id, _ in shown(page)] == ["summary", "nothing", "late-parcel", "figures", "calls"]
    assert page.locator("table.cases thead th").all_inner_texts() == ["Status", "Case ▼", "Variant", "Agent"]
    page.get_by_role("button", name="Clear filters").click()
    assert len(shown(page)) == 10


def test_a_click_on_a_head_sorts_and_another_turns_round(show: Show, desk: Path) -> None:
    page = show(desk, "#cases&variant=v1")
    head = page.locator("thead").get_by_role("button", name="Case")
    head.click()
    first = [case_id for case_id, _ in shown(page)]
    head.click()
    assert [case_id for case_id, _ in shown(page)] == first[::-1]
    assert page.locator("th[aria-sort]").get_attribute("aria-sort") == "descending"


def test_columns_can_be_chosen(show: Show, desk: Path) -> None:
    page = show(desk, "#cases")
    page.locator("summary", has_text="Columns").click()
    page.locator(".sheet").get_by_label("Latency").check()
    assert "Latency" in page.locator("table.cases thead").inner_text()
    assert "columns=" in page.url


def test_the_table_is_saved_as_it_is_shown(show: Show, desk: Path) -> None:
    page = show(desk, "#cases&variant=v2&sort=case_id&columns=case_id,status,variant,metric%253Ahelpfulness")
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save as CSV").click()
    text = Path(waiting.value.path()).read_text(encoding="utf-8")
    rows = list(csv.reader(io.StringIO(text)))
    assert rows[0] == ["status", "case_id", "variant", "helpfulness"]
    assert [row[1] for row in rows[1:]] == ["calls", "figures", "late-parcel", "nothing", "summary"]
    assert rows[4] == ["pass", "nothing", "v2", "unscored"]


def test_the_map_leads_to_a_case_and_its_names_to_what_fails(show: Show, desk: Path) -> None:
    page = show(desk, "#cases")
    page.locator(".heat").get_by_role("button", name="golden").click()
    assert shown(page) == [("late-parcel", "v2")]
    page.locator(".heat canvas").click(position={"x": 4, "y": 4})
    page.locator("#case-title").wait_for()


def test_the_table_is_used_by_keyboard(show: Show, desk: Path) -> None:
    page = show(desk, "#cases&sort=case_id&variant=v1")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.wait_for_timeout(100)
    page.keyboard.press("Enter")
    assert page.locator("#case-title").inner_text().endswith("figures")
    page.keyboard.press("j")
    assert page.locator("#case-title").inner_text().endswith("late-parcel")
    page.keyboard.press("k")
    page.keyboard.press("Escape")
    assert page.locator("table.cases").is_visible()
    page.keyboard.press("/")
    page.keyboard.type("sum")
    page.get_by_text("1 of 10 shown").wait_for()


def test_single_keys_can_be_switched_off(show: Show, desk: Path) -> None:
    page = show(desk, "#cases")
    page.get_by_label("single-key shortcuts").uncheck()
    page.keyboard.press("1")
    assert page.locator("table.cases").is_visible()


# ---------------------------------------------------------------------------------------------------------------- case


def test_what_is_missing_is_said_and_what_was_found_is_marked(show: Show, desk: Path) -> None:
    page = show(desk, "#case=late-parcel&of=v1")
    checks = page.locator("section.block", has_text="Checks").first
    checks.locator("li", has_text="contains").get_by_role("button", name="show in the output").click()
    assert page.locator("mark").all_inner_texts() == ["refund", "by Friday"]
    page = show(desk, "#case=late-parcel&of=v2")
    assert '"refund" is missing' in page.locator(".results > li.fail", has_text="contains").inner_text()


def test_the_golden_file_stands_beside_the_output_and_in_one_text(show: Show, desk: Path) -> None:
    page = show(desk, "#case=late-parcel&of=v2")
    changed = page.locator(".sides tr.changed").first
    assert changed.locator("td").all_inner_texts() == [
        "The refund is sent by Friday.",
        "A replacement is sent by Monday.",
    ]
    assert "Friday" in " ".join(changed.locator("del").all_inner_texts())
    page.get_by_role("button", name="unified").click()
    assert page.locator(".diff .line.removed").all_inner_texts() == ["-The refund is sent by Friday."]


def test_markdown_is_laid_out_and_its_links_lead_nowhere(show: Show, desk: Path) -> None:
    page = show(desk, "#case=summary&of=v1")
    laid_out = page.locator(".markdown")
    assert laid_out.locator("strong").inner_text() == "rose"
    assert "the table (https://example.test/t)" in laid_out.inner_text()
    assert laid_out.locator("a").count() == 0
    page.get_by_role("button", name="as it is").click()
    assert "**rose**" in page.get_by_role("group", name="Output", exact=True).inner_text()


def test_json_is_laid_out(show: Show, desk: Path) -> None:
    page = show(desk, "#case=figures&of=v1")
    assert page.get_by_role("group", name="Output, as JSON").inner_text().splitlines()[1] == '  "revenue": 4.2,'


def test_tool_calls_stand_in_order_with_their_answers(show: Show, desk: Path) -> None:
    page = show(desk, "#case=calls&of=v1")
    steps = page.locator(".timeline > li")
    assert [steps.nth(n).locator("strong").inner_text() for n in range(2)] == ["search", "open"]
    steps.nth(0).locator("summary").click()
    assert '"hits": 2' in steps.nth(0).inner_text()
    assert "none made" in show(desk, "#case=calls&of=v2").locator("main").inner_text()


def test_each_sample_of_the_judge_has_reason_prompt_and_reply(show: Show, desk: Path) -> None:
    page = show(desk, "#case=summary&of=v1")
    judged = page.locator("section.block", has_text="Judged").first
    assert "2 samples" in judged.inner_text()
    assert "Sample 1 of summary under v1." in judged.inner_text()
    judged.locator("summary", has_text="sample 0").click()
    assert "You are an impartial judge" in judged.get_by_role("group", name="Prompt as sent").first.inner_text()
    assert '"score": 2' in judged.get_by_role("group", name="Raw reply").first.inner_text()


def test_a_verdict_that_could_not_be_read_shows_its_reply(show: Show, desk: Path) -> None:
    page = show(desk, "#case=nothing&of=v2")
    judged = page.locator("section.block", has_text="Judged").first
    assert "parse" in judged.inner_text()
    judged.locator("summary", has_text="sample 0").click()
    assert "I like it." in judged.inner_text()


def test_input_context_reference_and_variables_are_there(show: Show, desk: Path) -> None:
    page = show(desk, "#case=late-parcel&of=v1")
    for summary in ("Reference", "Context (1)", "Variables"):
        page.locator("summary", has_text=summary).click()
    text = page.locator("main").inner_text()
    for part in ("My parcel is late.", "We replace it.", "Late parcels are replaced.", '"city": "Oslo"'):
        assert part in text


def test_two_variants_stand_side_by_side_with_their_changed_words(show: Show, desk: Path) -> None:
    page = show(desk, "#case=late-parcel&of=v2")
    page.get_by_role("button", name="Side by side", exact=True).click()
    assert "beside=v1" in page.url
    assert "Friday" in " ".join(page.locator(".beside del").all_inner_texts())
    assert "Monday" in " ".join(page.locator(".beside ins").all_inner_texts())
    first = page.locator(".metrics tbody tr").first.inner_text()
    assert first.startswith("contains")
    page.get_by_role("button", name="in one text").click()
    assert page.get_by_role("group", name="From v1 to v2").locator("del").count() > 0


def test_an_address_of_an_unknown_case_says_so(show: Show, desk: Path) -> None:
    assert "There is no such case" in show(desk, "#case=gone").locator("main").inner_text()


def test_on_paper_every_case_is_there_and_nothing_to_press(show: Show, desk: Path) -> None:
    page = show(desk, "#cases")
    page.emulate_media(media="print")
    page.evaluate("() => { dispatchEvent(new Event('beforeprint')); }")
    page.locator("table.printed").wait_for()
    assert page.locator("table.printed tbody tr").count() == 10
    assert not page.locator("nav").is_visible()
    page.evaluate("() => { dispatchEvent(new Event('afterprint')); }")
    page.locator(".scroller").wait_for()

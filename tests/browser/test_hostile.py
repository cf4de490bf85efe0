"""Outputs that attack their reader are text, everywhere in the page."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Page

Show = Callable[..., "Page"]
TEXTS = {
    "script": "<script>window.hit=1</script>",
    "closing": "</script><script>window.hit=2</script></style></title><!--",
    "handler": 'x" onmouseover="window.hit=3" <img src=x onerror=window.hit=4>',
    "svg": "<svg onload=window.hit=5><animate onbegin=window.hit=6 attributeName=x dur=1s></svg>",
    "markdown": "# [click](javascript:window.hit=7)\n\n![x](https://example.test/track.png)\n\n<iframe srcdoc='<p>'>",
    "address": "**see** [bank](https://example.test) <https://example.test/a> data:text/html,<script>1</script>",
    "bidi": "pay \u202euoy ot\u202c now \u2066x\u2069 zero\u200bwidth",
    "ansi": "\x1b[31mred\x1b[0m \x07 bell",
    "nul": "a\x00b\x00c",
    "json": json.dumps({"__proto__": {"hit": 1}, "constructor": "</script>"}),
    "lines": "one\u2028two\u2029three\r\nfour",
    "template": "{{data}} ${window.hit=8} {{script}}",
    "formula": '=HYPERLINK("https://example.test")',
}


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose ids, inputs, outputs, reasons and replies are all of this kind."""
    from judgekit.pipeline.options import Options
    from judgekit.pipeline.run import run

    folder = tmp_path_factory.mktemp("hostile")
    with (folder / "outputs.jsonl").open("w", encoding="utf-8") as outputs:
        for variant in ("v1", "<b>v2</b>"):
            for name, text in TEXTS.items():
                calls = [{"name": text, "args": {text: text}, "result": text}]
                row = {
                    "id": name,
                    "variant": variant,
                    "input": text,
                    "output": f"{variant} {text}",
                    "tool_calls": calls,
                }
                outputs.write(json.dumps(row) + "\n")
            long = {"id": "long", "variant": variant, "input": "x", "output": "<b>" + "long\x00" * 2_000_000}
            outputs.write(json.dumps(long) + "\n")
        surrogate = '{"id": "surrogate", "variant": "v1", "input": "x", "output": "a\\ud800b"}'
        outputs.write(surrogate + "\n" + surrogate.replace('"v1"', '"<b>v2</b>"') + "\n")
    with (folder / "replies.jsonl").open("w", encoding="utf-8") as replies:
        for name, text in TEXTS.items():
            reply = json.dumps({"reason": text, "score": 3})
            replies.write(json.dumps({"case_id": name, "rubric": "helpfulness", "reply": reply}) + "\n")
    return run(
        Options(
            outputs=((None, folder / "outputs.jsonl"),),
            rubrics=("helpfulness",),
            judge=(f"replay:{folder / 'replies.jsonl'}",),
            out=folder / "reports",
            run_id="hostile",
            no_gate=True,
        )
    ).path


def inert(page: Page) -> None:
    """Nothing has run, and no element or attribute came out of a text."""
    assert page.evaluate("() => window.hit") is None
    assert page.locator("#app script, #app iframe, #app img, #app object, #app embed, #app animate").count() == 0
    handlers = """() => [...document.querySelectorAll("#app *")].flatMap((node) =>
        [...node.attributes].filter((one) => one.name.startsWith("on") || /^\\s*(javascript|data):/i.test(one.value)))
        .length"""
    assert page.evaluate(handlers) == 0
    links = page.evaluate("() => [...document.querySelectorAll('#app a')].map((node) => node.getAttribute('href'))")
    assert [one for one in links if not one.startswith(("#", "report.texts.html", "report.html"))] == []


@pytest.mark.parametrize("fragment", ["#overview", "#cases", "#cases&q=script", "#rate"])
def test_every_list_is_inert(show: Show, hostile: Path, fragment: str) -> None:
    page = show(hostile, fragment)
    page.wait_for_timeout(200)
    inert(page)


@pytest.mark.parametrize("name", TEXTS)
def test_a_case_is_inert_however_it_is_read(show: Show, hostile: Path, name: str) -> None:
    page = show(hostile, f"#case={name}&of=v1")
    page.evaluate("() => document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    for button in page.locator(".choices button").all():
        button.click()
        inert(page)
    page = show(hostile, f"#case={name}&of=v1&beside=%3Cb%3Ev2%3C%2Fb%3E")
    inert(page)


def test_markup_is_shown_as_it_was_written(show: Show, hostile: Path) -> None:
    page = show(hostile, "#case=script&of=v1")
    assert page.get_by_role("group", name="Output", exact=True).inner_text() == "v1 <script>window.hit=1</script>"


@pytest.mark.parametrize(
    ("name", "codes"),
    [("bidi", ["U+202E", "U+202C", "U+2066", "U+2069", "U+200B"]), ("ansi", ["U+001B"]), ("nul", ["U+0000"])],
)
def test_what_hides_is_written_out(show: Show, hostile: Path, name: str, codes: list[str]) -> None:
    page = show(hostile, f"#case={name}&of=v1")
    output = page.get_by_role("group", name="Output", exact=True)
    assert set(codes) <= set(output.locator(".unseen").all_inner_texts())


def test_ten_megabytes_are_cut_and_stand_whole_beside(show: Show, hostile: Path) -> None:
    page = show(hostile, "#case=long&of=v1")
    assert "cut at 100,000 of 10,000,003 characters" in page.locator("main").inner_text()
    page.get_by_role("link", name="the whole text").first.click()
    page.locator("h1", has_text="long · v1 · output").wait_for()
    page.locator("pre .unseen").first.wait_for()
    page.get_by_role("link", name="next part").click()
    assert "part 2 of 51" in page.locator("main").inner_text()
    inert(page)


def test_a_lone_surrogate_is_replaced_and_shown(show: Show, hostile: Path) -> None:
    page = show(hostile, "#case=surrogate&of=v1")
    assert page.get_by_role("group", name="Output", exact=True).inner_text() == "a\ufffdb"


def test_a_script_that_gets_in_all_the_same_may_not_act(show: Show, hostile: Path, watched: Any) -> None:
    # The policy of the page is the second wall: what a mistake of ours let through would still be refused.
    page = show(hostile)
    page.evaluate("""() => {
        const script = document.createElement("script");
        script.textContent = "window.hit = 9";
        document.body.append(script);
    }""")
    assert page.evaluate("() => window.hit") is None
    (refused,) = watched.trouble
    assert "Content Security Policy" in refused
    watched.trouble.clear()

"""Code blocks, and the fence around a whole answer."""

from __future__ import annotations

import pytest

from judgekit.texts.fences import code_blocks, unwrapped


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("```\na\n```", ["a\n"]),
        ("x\n~~~ json\na\r\nb\r\n~~~\ny", ["a\r\nb\r\n"]),
        ("````\n```\na\n````", ["```\na\n"]),
        ("```\na\n```\nb\n```\nc\n```", ["a\n", "c\n"]),
        ("  ```\na\n  ```", ["a\n"]),
        ("```\nnever closed", ["never closed"]),
        ("```", [""]),
        ("```\n```", [""]),
        ("```a``` in a line", []),
        ("no fence", []),
    ],
)
def test_code_blocks(text, inside):
    assert [text[block.start : block.end] for block in code_blocks(text)] == inside


def test_a_block_knows_whether_it_is_closed():
    assert [block.is_closed for block in code_blocks("```\na\n```\n```\nb")] == [True, False]


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("```json\n{}\n```", "{}"),
        ("\n~~~\na\nb\n~~~\n", "a\nb"),
        ("```md\na\n```python\nx\n```\nb\n```", "a\n```python\nx\n```\nb"),
        ("```\na\n```\nand\n```\nb\n```", "```\na\n```\nand\n```\nb\n```"),
        ("a\n```\nb\n```", "a\n```\nb\n```"),
    ],
)
def test_the_fence_around_a_whole_answer_is_opened(text, inside):
    start, end = unwrapped(text)
    assert text[start:end] == inside


def test_a_fence_of_another_language_stays():
    text = "```python\nx = 1\n```"
    assert unwrapped(text, {"json"}) == (0, len(text))

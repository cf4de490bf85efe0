"""What a person would see."""

from __future__ import annotations

import pytest

from judgekit.texts.visible import has_visible


@pytest.mark.parametrize(
    "text",
    [
        "",
        " ",
        "\u200b",
        "\u2060\ufeff",
        "\u3164",
        "\u2800",
        "\u0301",
        "\x00\x1f",
        "\u202e",
        " \n\u200b\ufeff\x00",
        "\ufe0f",
    ],
)
def test_nothing_to_see(text):
    assert not has_visible(text)


@pytest.mark.parametrize("text", ["a", "-", "7", "字", "🙂", "\u200ba", "·", "\ue000", "\U0001fae8"])
def test_something_to_see(text):
    assert has_visible(text)

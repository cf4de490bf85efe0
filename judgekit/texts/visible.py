"""Text in, whether a person would see anything of it out."""

from __future__ import annotations

import unicodedata

# Blanks, controls, zero-width characters, accents without a letter. A character that Python's table does not know yet
# is most likely a new emoji.
_UNSEEN = frozenset(("Cc", "Cf", "Mc", "Me", "Mn", "Zl", "Zp", "Zs"))
# Letters and symbols by their Unicode category, yet drawn as nothing: Hangul fillers and the empty braille cell.
_BLANK = frozenset("\u115f\u1160\u2800\u3164\uffa0")


def has_visible(text: str) -> bool:
    """True if a person would see something: not only blanks, controls, zero-width characters and lone accents.

    Example:
        >>> has_visible("\\u200b\\u00a0"), has_visible("p. 4")
        (False, True)
    """
    return any("!" <= one <= "~" or not (one in _BLANK or unicodedata.category(one) in _UNSEEN) for one in text)


def has_content(text: str) -> bool:
    """True if a person would see more than punctuation.

    Example:
        >>> has_content(" …–?"), has_content("p. 4"), has_content("🙂")
        (False, True, True)
    """
    return any(has_visible(one) and unicodedata.category(one)[0] != "P" for one in text)

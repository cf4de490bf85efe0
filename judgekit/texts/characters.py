"""Text in, the same text with case and form of its characters folded out."""

from __future__ import annotations

import unicodedata

_MARKS = (range(0x200B, 0x2010), range(0x202A, 0x202F), range(0x2060, 0x2065), range(0x2066, 0x206A))
INVISIBLE = "\u00ad\u180e\ufeff\ufe0e\ufe0f" + "".join(chr(mark) for marks in _MARKS for mark in marks)
"""Characters without width: they fold to nothing."""

_PLAIN = (
    dict.fromkeys("‘’‚‛ʼ′＇´", "'")
    | dict.fromkeys("“”„‟″＂", '"')
    | dict.fromkeys("‐‑‒–—―−﹘﹣－", "-")
    | dict.fromkeys(INVISIBLE, "")
    # NFKC does these too, but takes its time over any text that holds one.
    | {"…": "...", "\u00a0": " "}
)


def fold_characters(text: str, *, case: bool, form: bool) -> str:
    """The text with its characters folded; white space stays as it is.

    Args:
        text: Any text.
        case: Fold upper and lower case.
        form: Fold NFKC, quotes, dashes and zero-width characters; otherwise NFC only.

    Example:
        >>> fold_characters("Ｆｕll—STRAẞE", case=True, form=True)
        'full-strasse'
    """
    if text.isascii():
        return text.lower() if case else text
    if form:
        # Some fifty searches for one character are much faster than str.translate over the whole text.
        for character, plain in _PLAIN.items():
            if character in text:
                text = text.replace(character, plain)
        text = unicodedata.normalize("NFKC", text)
    else:
        text = unicodedata.normalize("NFC", text)
    return unicodedata.normalize("NFC", text.casefold()) if case else text

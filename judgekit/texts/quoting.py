"""Text in, a short quotation for reasons out."""

from __future__ import annotations

from judgekit.reading.text import without_surrogates


def quote(text: str, most: int = 80) -> str:
    """The text in quotes, on one line, cut to `most` characters, control characters escaped.

    Example:
        >>> quote("Dear\\n customer\\x00, thank you", most=12)
        '"Dear custome…"'
    """
    # Only a stretch is looked at: an output may hold megabytes.
    line = " ".join(text[: 4 * most].split())
    cut = len(line) > most or len(text) > 4 * most
    shown = "".join(one if one.isprintable() else f"\\x{ord(one):02x}" for one in without_surrogates(line[:most]))
    return f'"{shown.rstrip()}…"' if cut else f'"{shown}"'

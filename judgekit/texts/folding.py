"""Text in, the same text with case and form folded out, with a way back to the offsets of the original.

Two writings of one word compare equal after folding: full and half width, curly and plain quotes, long and short
dashes, upper and lower case, any run of white space and one space, zero-width characters and none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from judgekit.texts.characters import fold_characters
from judgekit.texts.way_back import WayBack

Span = tuple[int, int]


@dataclass(frozen=True, eq=False)
class Folded:
    """A folded text."""

    text: str
    source: str
    characters: str
    """The source with its characters folded, before white space is drawn together."""
    case: bool
    form: bool

    def span(self, start: int, end: int) -> Span:
        """Offsets in the original of what stands at [start, end) in the folded text.

        Example:
            >>> folded = fold("Straße  am\\nSee")
            >>> first = folded.text.index("am see")
            >>> folded.source[slice(*folded.span(first, first + 6))]
            'am\\nSee'
        """
        return self.spans([start], end - start)[0]

    def spans(self, places: Sequence[int], length: int) -> tuple[Span, ...]:
        """Offsets in the original of the stretches of `length` at each place of the folded text."""
        if len(self.text) == len(self.source) and self.source.isascii():
            return tuple((at, at + length) for at in places)
        back = self._way_back
        return tuple((back.start(at), back.end(at + length)) for at in places)

    @cached_property
    def _way_back(self) -> WayBack:
        # Worked out when it is first asked for: most texts never are.
        return WayBack(self.source, self.characters, case=self.case, form=self.form)


@lru_cache(maxsize=8)
def fold(text: str, *, case: bool = True, form: bool = True) -> Folded:
    """The folded text.

    Args:
        text: Any text.
        case: Fold upper and lower case.
        form: Fold NFKC, quotes, dashes, zero-width characters and white space; otherwise NFC only.

    Example:
        >>> fold("I can’t\\n delete").text
        "i can't delete"
    """
    characters = fold_characters(text, case=case, form=form)
    return Folded(" ".join(characters.split()) if form else characters, text, characters, case, form)


def fold_phrase(text: str, *, case: bool = True, form: bool = True) -> str:
    """A text to look for, folded; one blank at either end is kept, so that "- " is not every hyphen.

    Example:
        >>> fold_phrase("- "), fold_phrase("Two\\nlines\\n")
        ('- ', 'two lines')
    """
    if not form:
        return fold(text, case=case, form=False).text
    inner = fold(text, case=case).text
    blank = " \t\u00a0"
    return f"{' ' if text[:1] in blank else ''}{inner}{' ' if text[-1:] in blank else ''}" if inner else ""

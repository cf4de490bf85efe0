"""Texts of a run in, the same with secret patterns and keys masked out; masks keep the length, so spans stay right."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

from judgekit.errors import InputError
from judgekit.frame.tables import CaseRow, ResultRow
from judgekit.texts.scrubbing import SECRET_MASKED
from judgekit.writing import write_text

R = TypeVar("R", ResultRow, CaseRow)
MASK = "█"

# What joins the files of a run with each other, and figures: masked, nothing would be found again.
_KEPT_IN_ROWS = frozenset(
    (
        *("run_id", "case_id", "suite", "variant", "against", "file", "output_hash"),
        *("kind", "metric", "status", "cause", "label", "judge", "judge_identity", "model_returned"),
    )
)
_KEPT_IN_RECORDS = _KEPT_IN_ROWS | frozenset(
    (
        *("trial", "rubric", "sample", "order", "prompt_hash", "hash", "asks", "outputs", "line", "spans", "flags"),
        *("required", "trials", "should_pass", "score", "threshold", "passed", "scale", "labels", "criteria"),
        *("template", "params_requested", "params_applied", "cached", "repaired", "model", "finish_reason"),
        *("input_tokens", "output_tokens", "cached_tokens", "reasoning_tokens", "cost_usd", "latency_s"),
    )
)
_OWN_ID = re.compile(r"[0-9a-f]{10}")
_ESCAPED = re.compile(r"[^\w.~+/=:@-]")
_LEAST, _MOST_SECRETS = 4, 100


class Masker:
    """Masks every match of some patterns, and some values, in texts wherever they stand.

    Args:
        patterns: Regular expressions.
        secrets: Values such as keys, longest first; a record or row that held one is flagged `secret_masked`.

    Example:
        >>> Masker(["sk-[a-z]+"]).value({"reply": ["my key is sk-abc"]})
        {'reply': ['my key is ██████']}
    """

    def __init__(self, patterns: Iterable[str], secrets: Iterable[str] = ()) -> None:
        self._patterns = [re.compile(pattern) for pattern in patterns]
        # As it is, and as it stands in JSON that a judge wrote.
        self._secrets = tuple(dict.fromkeys(form for one in secrets for form in (one, json.dumps(one)[1:-1])))
        # What of each stands in a `repr` as it is.
        self._pieces = {max(_ESCAPED.split(one), key=len) for one in self._secrets}
        self._fragments: tuple[str, ...] = ()

    @property
    def masks(self) -> bool:
        """True if there is anything to look for."""
        return bool(self._patterns or self._secrets)

    def masks_in(self, value: Any) -> bool:
        """False if the value is sure to stay as it is: secrets of the environment are hardly ever there."""
        return bool(self._patterns or self._fragments) or self._holds_secret(value)

    def masks_in_json(self, text: str) -> bool:
        """The same of JSON text, in which some characters stand escaped."""
        return bool(self._patterns) or any(json.dumps(secret)[1:-1] in text for secret in self._secrets)

    def _holds_secret(self, value: Any) -> bool:
        if not self._secrets:
            return False
        # Hardly anything does, and a look at the whole at once says so of forty thousand rows in a moment.
        whole = repr(value)
        if not any(piece in whole for piece in self._pieces):
            return False
        text = "\0".join(_texts(value))
        return any(secret in text for secret in self._secrets)

    def beside(self, *texts: str | None) -> Masker:
        """A masker for what is said about these texts: it also finds a secret of theirs that a quotation cuts off."""
        if not self.masks:
            return self
        secrets = {match[0] for text in texts if text for one in self._patterns for match in one.finditer(text)}
        secrets |= {secret for secret in self._secrets for text in texts if text and secret in text}
        if not secrets:
            return self
        made = Masker((), self._secrets)
        made._patterns = self._patterns
        pieces = set()
        for secret in sorted(secrets)[:_MOST_SECRETS]:
            for length in range(_LEAST, len(secret)):
                pieces |= {secret[:length], secret[-length:]}
        made._fragments = tuple(sorted(pieces, key=len, reverse=True))
        return made

    def raise_in_names(self, names: Iterable[str]) -> None:
        """Raise if a pattern matches a name that files and reports go by, and that therefore can't be masked.

        Raises:
            InputError: the first such name with its pattern.
        """
        for name in names if self._patterns else ():
            for one in self._patterns:
                if one.search(name) and not _OWN_ID.fullmatch(name):
                    raise InputError(
                        f'redact: "{one.pattern}" matches "{name}", a name of a case, suite or variant. Names '
                        "hold a run together and are not masked: rename it, or make the pattern stricter."
                    )

    def text(self, text: str) -> str:
        """The text with every match masked."""
        for secret in self._secrets:
            text = text.replace(secret, MASK * len(secret))
        for pattern in self._patterns:
            text = pattern.sub(lambda match: MASK * len(match[0]), text)
        for piece in self._fragments:
            if piece in text:
                text = text.replace(piece, MASK * len(piece))
        return text

    def value(self, value: Any) -> Any:
        """The value with every text and every figure in it masked, keys of mappings included."""
        if not self.masks_in(value):
            return value
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, Mapping):
            return {self.text(str(key)): self.value(item) for key, item in value.items()}
        if isinstance(value, list | tuple):
            return [self.value(item) for item in value]
        if isinstance(value, int | float) and not isinstance(value, bool):
            # A card number may come as a number.
            masked = self.text(str(value))
            return value if masked == str(value) else masked
        return value

    def record(self, record: dict[str, Any]) -> dict[str, Any]:
        """The JSONL record with its texts masked; its ids, statuses and figures stay."""
        if not self.masks_in(record):
            return record
        return {key: self._field(key, value) for key, value in record.items()}

    def flagged(self, record: dict[str, Any]) -> dict[str, Any]:
        """The JSONL record masked, with a flag if a secret stood in what is masked of it."""
        masked = self.record(record)
        if masked == record or not self._holds_secret(record):
            return masked
        return {**masked, "flags": _with_flag(record.get("flags", ()))}

    def _field(self, key: str, value: Any) -> Any:
        if key in _KEPT_IN_RECORDS:
            return value
        if key == "items":
            return {name: self.record(item) for name, item in value.items()}
        return self.value(value)

    def row(self, row: R) -> R:
        """The table row with its texts masked; its ids and statuses stay."""
        if not self.masks_in([cell for cell in row if cell.__class__ is str]):
            return row
        masked = type(row)._make(
            self.text(cell) if isinstance(cell, str) and name not in _KEPT_IN_ROWS else cell
            for name, cell in zip(row._fields, row, strict=True)
        )
        if masked == row or not self._holds_secret(row):
            return masked
        return masked._replace(flags=";".join(_with_flag(one for one in row.flags.split(";") if one)))


def _with_flag(flags: Iterable[str]) -> list[str]:
    return list(dict.fromkeys((*flags, SECRET_MASKED)))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key)
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, int | float):
        yield str(value)


_SAID = ("text", "tool_calls", "refusal", "reasoning", "raw")


def mask_calls(path: Path, masker: Masker) -> None:
    """Mask what models said in the calls of a finished run; until then a resumed run needs it as it was."""
    if not masker.masks or not path.is_file():
        return
    before = path.read_text(encoding="ascii", errors="replace")
    if masker.masks_in_json(before):
        write_text(path, "".join(_masked_call(line, masker) for line in before.splitlines()))


def _masked_call(line: str, masker: Masker) -> str:
    try:
        row = json.loads(line)
    except ValueError:
        # Cut short or damaged: it holds no call, and might hold a secret.
        return ""
    if "reply" in row:
        row["reply"] |= {name: masker.value(row["reply"].get(name)) for name in _SAID}
    if "error" in row:
        row["error"] = masker.value(row["error"])
    return json.dumps(row) + "\n"

"""Kinds of values that the forms of several checks share."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from judgekit.reading.forms import as_bool


def as_count(value: Any) -> int:
    """A whole number from 0; text of digits counts, as cells of a table are text.

    Raises:
        ValueError: anything else, true and false included.
    """
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        return int(value)
    if isinstance(value, str) and len(value) <= 18 and value.strip().isdecimal():
        return int(value)
    raise ValueError("must be a whole number from 0")


Count = Annotated[int, BeforeValidator(as_count), WithJsonSchema({"type": "integer", "minimum": 0})]
"""A whole number from 0."""

AtLeastOne = Annotated[int, BeforeValidator(as_count), Field(ge=1), WithJsonSchema({"type": "integer", "minimum": 1})]
"""A whole number from 1."""


def as_true(value: Any) -> bool:
    """`true`, the only value of a check that is simply asked for.

    Raises:
        ValueError: `false` or anything else.
    """
    if isinstance(value, bool | str) and as_bool(value):
        return True
    # The name is put in where it is known: judgekit.scenarios.expect.
    raise ValueError("must be true, the only value it takes; for the opposite write `not_NAME`")


Asked = Annotated[bool, BeforeValidator(as_true), WithJsonSchema({"const": True})]
"""`true`; `false` is refused, for `not_NAME` says it plainly."""

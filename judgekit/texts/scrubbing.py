"""A message in, the same message without keys out: a provider, or a person's code, may repeat what it was given."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

HIDDEN = "***"
"""What stands where a secret stood."""
SECRET_MASKED = "secret_masked"
"""Flag of an output, verdict or result in which a value of a header or of the environment came back."""

_SECRET_NAME = re.compile(r"(?:^|_)(?:API_?KEY|KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)(?:_|$)", re.IGNORECASE)
# Shorter values are no keys, and masking "test" or "1" everywhere would make messages unreadable.
_SHORTEST = 6
_FORMS = (
    # Authorization: Bearer …, 'x-api-key': '…', api_key=…, ?key=…
    re.compile(
        r"((?:authorization|proxy-authorization|x-api-key|api-key|api_key|apikey|x-goog-api-key|access_token|[?&]key)"
        r"[\"']?\s*[:=]\s*[\"']?(?:(?:bearer|basic|token)\s+)?)[^\s\"',;&})\]]+",
        re.IGNORECASE,
    ),
    re.compile(r"(\bbearer\s+)[\w\-.~+/=*]{6,}", re.IGNORECASE),
    re.compile(r"()\b(?:sk|pk|rk|gsk|xai|hf|r8)[-_][\w\-*]{6,}"),
    re.compile(r"()\bAIza[\w\-]{10,}"),
    re.compile(r"(://)[^/@\s:]+:[^/@\s]+(?=@)"),
)


def secret_values(environ: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Values of the variables that are named like secrets, longest first: one key may begin with another.

    Args:
        environ: None: the environment of the process.

    Example:
        >>> secret_values({"MY_API_KEY": "swordfish-1", "HOME": "/home/ada"})
        ('swordfish-1',)
    """
    known = os.environ if environ is None else environ
    values = {value.strip() for name, value in known.items() if _SECRET_NAME.search(name)}
    return tuple(sorted((one for one in values if len(one) >= _SHORTEST), key=lambda one: (-len(one), one)))


def scrub(text: str, environ: Mapping[str, str] | None = None) -> str:
    """The text with keys, authorization headers and passwords of addresses replaced by `***`.

    Args:
        environ: Where values of variables named like `*_API_KEY`, `*_TOKEN`, `*_SECRET` are looked up; None: the
            environment of the process.

    Example:
        >>> scrub("key swordfish-1 refused; sent Authorization: Bearer abc.def", {"MY_API_KEY": "swordfish-1"})
        'key *** refused; sent Authorization: Bearer ***'
    """
    for value in secret_values(environ):
        text = text.replace(value, HIDDEN)
    for form in _FORMS:
        text = form.sub(rf"\g<1>{HIDDEN}", text)
    return text

"""A model's name in, the environment variable that holds its key out; litellm is not needed to know."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping

# For each provider the variables that will do, any one of them; the first is the one to name. Not here: bedrock and
# vertex_ai, whose keys also stand in files and on the machine itself, and local servers, which need none.
_KEYS: Mapping[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"),
    "gemini": ("GEMINI_API_KEY", "GOOGLE_API_KEY"),
    # Deployments may be reached with an Entra token instead of a key.
    "azure": (
        "AZURE_API_KEY",
        "AZURE_OPENAI_API_KEY",
        "AZURE_AD_TOKEN",
        "AZURE_CLIENT_ID",
        "AZURE_CREDENTIAL",
    ),
    "azure_ai": ("AZURE_AI_API_KEY", "AZURE_API_KEY"),
    "mistral": ("MISTRAL_API_KEY",),
    "groq": ("GROQ_API_KEY",),
    "cohere": ("COHERE_API_KEY", "CO_API_KEY"),
    "cohere_chat": ("COHERE_API_KEY", "CO_API_KEY"),
    "together_ai": ("TOGETHERAI_API_KEY", "TOGETHER_API_KEY", "TOGETHER_AI_API_KEY", "TOGETHER_AI_TOKEN"),
    "openrouter": ("OPENROUTER_API_KEY", "OR_API_KEY"),
    "deepseek": ("DEEPSEEK_API_KEY",),
    "xai": ("XAI_API_KEY",),
    "perplexity": ("PERPLEXITYAI_API_KEY", "PERPLEXITY_API_KEY"),
    "fireworks_ai": (
        "FIREWORKS_API_KEY",
        "FIREWORKS_AI_API_KEY",
        "FIREWORKSAI_API_KEY",
        "FIREWORKS_AI_TOKEN",
    ),
    "cerebras": ("CEREBRAS_API_KEY",),
    "replicate": ("REPLICATE_API_KEY", "REPLICATE_API_TOKEN"),
}
_BARE = (
    (re.compile(r"(?:ft:)?(?:gpt-|chatgpt-|o\d+(?:-|$)|codex-)"), "openai"),
    (re.compile(r"claude-"), "anthropic"),
)

PLACEHOLDER_KEY = "none"
"""Sent to an explicit address where no key is set: a local server needs none, but the client insists on one."""


def missing_key(name: str, base_url: str | None = None, environ: Mapping[str, str] | None = None) -> str | None:
    """The environment variable that a model needs and that is not set; None if nothing is known to be missing.

    Args:
        name: As litellm knows it.
        base_url: An explicit address; what stands there may need no key.
        environ: None: the environment of the process.

    Example:
        >>> missing_key("gpt-4o", environ={})
        'OPENAI_API_KEY'
        >>> missing_key("openai/local", "http://127.0.0.1:8080/v1", environ={}) is None
        True
        >>> missing_key("ollama/llama3", environ={}) is None
        True
    """
    if base_url:
        return None
    known = os.environ if environ is None else environ
    is_set = any(known.get(one, "").strip() for one in _KEYS.get(_provider(name), ()))
    return None if is_set else key_variable(name)


def key_variable(name: str) -> str | None:
    """The environment variable that a model's key usually stands in; None if the provider is not known here.

    Example:
        >>> key_variable("claude-sonnet-4-5")
        'ANTHROPIC_API_KEY'
    """
    variables = _KEYS.get(_provider(name))
    return variables[0] if variables else None


def _provider(name: str) -> str:
    prefix, slash, _ = name.partition("/")
    if slash:
        return prefix.lower()
    return next((provider for form, provider in _BARE if form.match(name.lower())), "")

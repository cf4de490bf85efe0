"""The name of a model in, the family that it comes from out."""

from __future__ import annotations

import re

_FAMILIES = {
    "GPT": r"(?:chat)?gpt|o[1-9](?:-|$)|text-davinci|davinci",
    "Claude": r"claude",
    "Gemini": r"gemini|gemma|palm",
    "Llama": r"(?:meta-)?llama|codellama",
    "Mistral": r"mistral|mixtral|ministral|magistral|codestral|pixtral",
    "Qwen": r"qwen|qwq",
    "DeepSeek": r"deepseek",
    "Grok": r"grok",
    "Command": r"command|c4ai",
    "Phi": r"phi-?\d",
    "Nova": r"nova-",
    "GLM": r"(?:chat)?glm",
    "Kimi": r"kimi|moonshot",
}


def family_of(name: str) -> str | None:
    """The family of a model by its name as litellm knows it; None where that is not known here.

    A fine-tune or a deployment with a name of its own is of no known family: nothing is guessed.

    Example:
        >>> family_of("azure/gpt-4o"), family_of("bedrock/us.anthropic.claude-sonnet-4-v1:0"), family_of("openai/mine")
        ('GPT', 'Claude', None)
    """
    own = name.rsplit("/", 1)[-1].lower()
    # Bedrock: region and maker stand before the model, each with a dot.
    parts = [own, *(own[one.end() :] for one in re.finditer(r"\.(?=[a-z])", own))]
    for family, pattern in _FAMILIES.items():
        if any(re.match(pattern, part) for part in parts):
            return family
    return None

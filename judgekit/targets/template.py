"""Jinja source in, what it asks for out: nothing is rendered here."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any


def names_in(source: str) -> frozenset[str]:
    """Names of the variables that the source takes from outside; none where it cannot be parsed.

    Example:
        >>> sorted(names_in("{{ input }} {% for one in turns %}{{ one }}{% endfor %}"))
        ['input', 'turns']
    """
    from jinja2 import meta

    tree = _parsed(source)
    return frozenset() if tree is None else frozenset(meta.find_undeclared_variables(tree))


def env_names(source: str) -> Iterator[str]:
    """Names of the environment variables that the source takes: `env.NAME`, or `env["NAME"]`.

    Example:
        >>> list(env_names("Bearer {{ env.AGENT_TOKEN }}"))
        ['AGENT_TOKEN']
    """
    from jinja2 import nodes

    tree = _parsed(source)
    for node in tree.find_all((nodes.Getattr, nodes.Getitem)) if tree is not None else ():
        if isinstance(node.node, nodes.Name) and node.node.name == "env":
            name = node.attr if isinstance(node, nodes.Getattr) else getattr(node.arg, "value", None)
            if isinstance(name, str):
                yield name


def expression(source: str) -> str | None:
    """The expression that the whole source is, without its braces; None if there is text around it, or several.

    `| tojson` at its end is left out: the value is wanted, not the text of its JSON.

    Example:
        >>> expression("{{ turns }}"), expression("{{ turns | tojson }}"), expression("Turns: {{ turns }}")
        ('turns', 'turns', None)
    """
    from jinja2 import nodes

    tree = _parsed(source)
    text = source.strip()
    if tree is None or len(tree.body) != 1 or not (text.startswith("{{") and text.endswith("}}")):
        return None
    (output,) = tree.body
    if not isinstance(output, nodes.Output) or len(output.nodes) != 1:
        return None
    (node,) = output.nodes
    inner = text[2:-2].removeprefix("-").removeprefix("+").removesuffix("-").strip()
    if isinstance(node, nodes.Filter) and node.name == "tojson" and not node.args and not node.kwargs:
        inner = inner.removesuffix("()").rstrip().removesuffix("tojson").rstrip().removesuffix("|").rstrip()
    return inner


@lru_cache(maxsize=256)
def _parsed(source: str) -> Any:
    from jinja2 import Environment, TemplateSyntaxError

    try:
        # Only parsed, never run: what is wrong with it is told when it is rendered.
        return Environment().parse(source)
    except (TemplateSyntaxError, RecursionError):
        return None

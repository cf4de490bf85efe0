"""Template and variables in, prompt out: the built-in judge templates, `render`, and the reply form they ask for."""

from judgekit.prompts.forms import default_template, reply_schema
from judgekit.prompts.templates import builtin_source, marker_for, render, render_source

__all__ = ["builtin_source", "default_template", "marker_for", "render", "render_source", "reply_schema"]

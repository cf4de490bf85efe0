"""Standings of cases and rules in, a Decision with reasons out."""

from judgekit.gate.deciding import decide, decide_kill_rate
from judgekit.gate.numbers import exact

__all__ = ["decide", "decide_kill_rate", "exact"]

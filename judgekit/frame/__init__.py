"""Records in, tidy tables and estimates out."""

from judgekit.frame.tables import CaseRow, ResultRow, RunData

__all__ = ["CaseRow", "ResultRow", "RunData"]

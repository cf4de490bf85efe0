"""The setting `cluster` and the cases of a run in; whether it names a column, and what to know of it, out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from judgekit.config import Project
from judgekit.errors import Complaint, InputError
from judgekit.frame.comparing.clusters import OF_RECORD, cluster_columns, unknown_cluster
from judgekit.records import Case


def raise_unknown_cluster(project: Project, cases: Sequence[Case]) -> None:
    """Raise if the settings name a column that no case has.

    Raises:
        InputError: with file, line and the columns that there are.
    """
    column = project.settings.cluster
    known = dict.fromkeys(name for case in cases for name in case.vars)
    if column and column not in cluster_columns(known):
        said = unknown_cluster(column, known)
        raise InputError(str(Complaint(project.file, project.line("cluster"), said)))


def cluster_notes(project: Project, cases: Sequence[Case]) -> Iterator[str]:
    """Cases without a cluster, and cases that share their context without being clustered."""
    column = project.settings.cluster
    if column:
        without = sum(column not in case.vars for case in cases) if column not in OF_RECORD else 0
        if without and any(column in case.vars for case in cases):
            yield f"{without} of {len(cases)} cases have no `{column}` (setting `cluster`): each counts by itself"
        return
    contexts = Counter(tuple(one.text for one in case.context) for case in cases if case.context)
    shared = [n for n in contexts.values() if n > 1]
    # One context for a whole suite is what the suite is about, not a sample of many.
    if len(shared) > 1:
        yield (
            f"{sum(shared)} cases share their context with others and are counted as independent: the setting "
            "`cluster: context` counts them together"
        )

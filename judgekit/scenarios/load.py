"""Paths in, suites of cases out; every mistake of every file in one message."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from judgekit.errors import Complaint, InputError, raise_complaints
from judgekit.reading.forms import fill
from judgekit.reading.text import shown
from judgekit.reading.yaml_text import line_of, read_yaml
from judgekit.records import Case, Place, Suite
from judgekit.scenarios.build import Builder, variant
from judgekit.scenarios.discover import find_files, named_files
from judgekit.scenarios.forms import CASE_KEYS, SUITE_KEYS, SuiteForm
from judgekit.scenarios.rows import case_rows


def load_scenarios(
    paths: Iterable[Path],
    *,
    root: Path,
    allow_code: bool = False,
    has_rubrics: bool = False,
    redact: tuple[str, ...] = (),
) -> list[Suite]:
    """The suites of all scenario files under `paths`, in the order found; a file of one case is a suite of one.

    Args:
        paths: Files and folders; relative ones start at the working folder.
        root: Project root, where a config-dir is looked for first.
        allow_code: Whether `python` checks may be used.
        has_rubrics: Whether rubrics come from elsewhere, so that a case needs no check of its own.
        redact: Patterns that golden files are compared without.

    Raises:
        InputError: all mistakes of all files, each with file and line; also when no scenario is found.
    """
    paths = list(paths)
    documents: list[tuple[Path, bool, list[Any]]] = []
    complaints: list[Complaint] = []
    for path, named in find_files(paths):
        try:
            documents.append((path, named, read_yaml(path, complaints=complaints)))
        except InputError as problem:
            complaints.append(Complaint("", None, str(problem)))
    beside = {
        file
        for path, _, contents in documents
        for document in contents
        for file in named_files(document, path.parent)
        if file != path
    }
    suites: list[Suite] = []
    for path, named, contents in documents:
        if path in beside and not named:
            continue
        if not contents:
            complaints.append(Complaint(shown(path), None, "no scenarios: the file is empty."))
        builder = Builder(path, Place(path.parent, root, allow_code), has_rubrics, redact)
        for document in contents:
            suite = _suite(document, builder)
            if suite is not None:
                suites.append(suite)
        complaints += builder.complaints
    complaints += _doubles(suites)
    raise_complaints(complaints)
    if not suites:
        where = ", ".join(path.as_posix() for path in paths) or "nowhere"
        raise InputError(f"no scenarios found in {where}: a scenario is a .yaml file; `judgekit init` writes one.")
    return _told_apart(suites)


def _told_apart(suites: Sequence[Suite]) -> list[Suite]:
    """The suites with a name of their own each: lone cases of one file make one suite, other doubles get their file."""
    kept: dict[str, Suite] = {}
    for suite in suites:
        name, known = suite.name, kept.get(suite.name)
        if known and known.file == suite.file and not known.lines and not suite.lines:
            kept[name] = replace(known, cases=known.cases + suite.cases)
            continue
        number = 2
        while name in kept:
            name = f"{suite.name} ({suite.file})" if number == 2 else f"{suite.name} ({suite.file}, {number})"
            number += 1
        if name != suite.name:
            suite = replace(suite, name=name, cases=tuple(replace(case, suite=name) for case in suite.cases))
        kept[name] = suite
    return list(kept.values())


def _suite(document: Any, builder: Builder) -> Suite | None:
    line = getattr(document, "line", None)
    if not isinstance(document, Mapping):
        builder.complain("a document is one case, or a suite with `cases:`; this is neither.", line)
        return None
    if "cases" in document or "suite" in document:
        return _many(document, builder, line)
    known = did_you_mean_cases(document)
    if known:
        builder.complain(known, line)
        return None
    name = builder.path.stem
    case = builder.case(document, suite=name, line=line)
    return Suite(name, (case,), file=builder.file) if case else None


def did_you_mean_cases(document: Mapping[str, Any]) -> str:
    """A hint where a document is plainly meant to be a suite, as in other tools' files; else nothing."""
    for key, value in document.items():
        if key not in CASE_KEYS and isinstance(value, list):
            if not value:
                return f'no scenarios: "{key}" is empty, and a suite lists its cases under `cases`.'
            if any(isinstance(one, Mapping) for one in value):
                return f'unknown key "{key}". A suite lists its cases under `cases`.'
    return ""


def _many(document: Mapping[str, Any], builder: Builder, line: int | None) -> Suite | None:
    document = builder.spelled(document, SUITE_KEYS)
    lines = document.lines
    form, complaints = fill(SuiteForm, document, file=builder.file, line=line)
    # A case key at the top of a suite is usually meant for all of its cases.
    for one in complaints:
        key = one.message.removeprefix('unknown key "').partition('"')[0].replace("-", "_")
        hint = ' Put it under "defaults".' if key in CASE_KEYS and key not in SUITE_KEYS else ""
        builder.complaints.append(Complaint(one.file, one.line, one.message.partition(" Known keys")[0] + hint))
    name = (form and form.suite) or builder.path.stem
    given = document.get("defaults")
    before = len(builder.complaints)
    defaults = builder.defaults(given if isinstance(given, Mapping) else {})
    # Without what its defaults were to give, a case would be told that it has no checks.
    lenient = replace(builder, has_rubrics=builder.has_rubrics or len(builder.complaints) > before)
    rows = _rows(document.get("cases", []), lenient, lines.get("cases", line)) if "cases" in document else []
    cases: list[Case] = []
    for row_builder, row_line, data in rows:
        if not isinstance(data, Mapping):
            row_builder.complain("a case is a mapping of keys and values.", row_line)
            continue
        case = row_builder.case(data, suite=name, line=row_line, defaults=defaults)
        if case:
            cases.append(case)
    for row_builder in {id(one): one for one, _, _ in rows}.values():
        if row_builder.path != builder.path:
            builder.complaints += row_builder.complaints
    if form is None:
        return None
    folder = builder.place.folder
    return Suite(
        name=name,
        cases=tuple(cases),
        variants=tuple(
            variant(key, one, folder=folder, file=builder.file, line=line_of(document, ("variants", key)))
            for key, one in form.variants.items()
        ),
        model=form.model,
        params=form.params,
        outputs=folder / form.outputs if form.outputs else None,
        judge=tuple(from_folder(one, folder) for one in form.judge),
        against=form.against,
        file=builder.file,
        lines=lines,
    )


def _rows(cases: Any, builder: Builder, line: int | None) -> Sequence[tuple[Builder, int | None, Any]]:
    if isinstance(cases, list):
        if not cases:
            builder.complain("no scenarios: the list of cases is empty.", line)
        where = getattr(cases, "lines", None) or [line] * len(cases)
        return [(builder, where[number], one) for number, one in enumerate(cases)]
    if not isinstance(cases, str) or not cases.strip():
        builder.complain("`cases` is a list of cases, or the name of a .jsonl or .csv file.", line)
        return []
    path = builder.place.folder / cases
    try:
        rows = case_rows(path)
    except InputError as problem:
        builder.complaints.append(Complaint("", None, str(problem)))
        return []
    if not rows:
        builder.complain(f"no scenarios: {shown(path)} is empty.", line)
    inner = builder.beside(path)
    return [(inner, number, data) for number, data in rows]


def from_folder(name: str, folder: Path) -> str:
    """The name of a judge as a file in `folder` gives it: a `replay:` path starts there.

    Example:
        >>> from_folder("gpt-4o", Path("scenarios")), from_folder("replay:said.jsonl", Path("scenarios"))
        ('gpt-4o', 'replay:scenarios/said.jsonl')
    """
    scheme, colon, path = name.partition(":")
    return f"replay:{shown(folder / path)}" if scheme == "replay" and colon else name


def _doubles(suites: Sequence[Suite]) -> list[Complaint]:
    seen: dict[str, Case] = {}
    complaints = []
    for suite in suites:
        for case in suite.cases:
            first = seen.setdefault(case.case_id, case)
            if first is not case:
                complaints.append(
                    Complaint(
                        case.file,
                        case.line,
                        f'duplicate case id "{case.case_id}", first used in {first.file}:{first.line}.',
                    )
                )
    return complaints

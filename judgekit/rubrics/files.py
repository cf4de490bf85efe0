"""Names and rubric files in, judged rubrics out; every mistake of a file in one message.

A name is looked for in `rubrics/` of the project, then among the built-in rubrics; what ends in `.yaml` or holds a
slash is a path.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from judgekit import plugins
from judgekit.errors import Complaint, InputError, did_you_mean, raise_complaints
from judgekit.prompts.templates import BUILTIN
from judgekit.reading.forms import as_exact, fill
from judgekit.reading.text import read_text, shown
from judgekit.reading.yaml_text import line_of, read_yaml
from judgekit.records import Rubric, RubricUse, Scale
from judgekit.rubrics.base import DeterministicRubric
from judgekit.rubrics.rubric_form import RubricForm, ScaleForm, mistakes, number, shown_number

_PACKAGE = Path(__file__).parent.parent
_SUFFIXES = (".yaml", ".yml")


def load_rubric(path: Path) -> Rubric:
    """The judged rubric in a file.

    Raises:
        InputError: a missing or unreadable file, or any mistakes in it, all in one message with their lines.
    """
    file = shown(path)
    documents = read_yaml(path)
    if len(documents) != 1 or not isinstance(documents[0], Mapping):
        raise InputError(f"{file}: a rubric file holds one mapping with name, question and a scale.")
    document = documents[0]
    form, complaints = fill(RubricForm, document, file=file)
    complaints += [Complaint(file, line_of(document, where), said) for where, said in mistakes(document)]
    template = ""
    if isinstance(document.get("template"), str):
        template, missing = _template(path, document["template"])
        if template and form is not None and form.answer_first and "own_answer" not in template:
            missing = "the template does not show {{ own_answer }}, which answer_first asks the judge for."
        complaints += [Complaint(file, line_of(document, ("template",)), missing)] * bool(missing)
    raise_complaints(complaints)
    assert form is not None
    return Rubric(
        name=form.name,
        question=form.question,
        scale=_scale(form.scale) if form.scale else None,
        labels={label: number(score) for label, score in (form.labels or {}).items()},
        checklist=form.checklist or {},
        criteria={name: _scale(scale) for name, scale in (form.criteria or {}).items()},
        pairwise=form.pairwise or (),
        weighted=form.weighted,
        calls=form.calls or "one",
        answer_first=form.answer_first,
        panel=form.panel or "",
        pass_at=form.pass_at,
        required=form.required,
        needs=form.needs,
        template=template,
        template_name=form.template or "",
        file=file,
    )


def find_rubric(name: str, *, root: Path, folder: Path | None = None) -> Rubric:
    """The judged rubric of a name, or in a file.

    Args:
        name: A name, looked for in `rubrics/` of the project and then built in; or a path, where it ends in `.yaml` or
            `.yml` or holds a slash.
        root: Root of the project.
        folder: Where a relative path starts; default the working folder.

    Raises:
        InputError: no such rubric (with the closest name), or mistakes in its file.

    Example:
        >>> find_rubric("helpfulness", root=Path()).bounds
        (1, 5)
    """
    return _load(name, _locate(name, root, folder))


def resolve(use: RubricUse, *, root: Path) -> Rubric | DeterministicRubric:
    """The rubric that a case, suite, setting or flag asks for, its options filled in.

    Deterministic rubrics come first. The use's own `pass_at` is checked against the scale and left to the caller.

    Raises:
        InputError: with file and line of the use: an unknown rubric, unknown or wrong options, options for a judged
            rubric, a threshold outside the scale; or mistakes in the rubric's file.
    """
    if use.name in plugins.names("rubrics"):
        kind: type[DeterministicRubric] = plugins.lookup("rubrics", use.name)
        filled, complaints = fill(kind, use.options, file=use.file, line=use.line)
        complaints += _outside(use, 0, 1)
        raise_complaints(complaints)
        assert filled is not None
        return filled
    try:
        path = _locate(use.name, root, Path(use.file).parent if use.file else None)
    except InputError as problem:
        raise InputError(str(Complaint(use.file, use.line, str(problem)))) from None
    rubric = _load(use.name, path)
    complaints = _outside(use, *rubric.bounds)
    for option in use.options:
        known = ("name", "pass_at", "required")
        said = f'rubric "{rubric.name}" is judged and takes no option "{option}".{did_you_mean(option, known)}'
        complaints.append(Complaint(use.file, use.line, f"{said} Its file sets the rest."))
    raise_complaints(complaints)
    return rubric


def builtin_rubrics() -> list[str]:
    """Sorted names of the judged rubrics that come with judgekit.

    Example:
        >>> "faithfulness" in builtin_rubrics()
        True
    """
    return sorted(_stems(builtin_folder()))


def project_rubrics(root: Path) -> list[str]:
    """Sorted names of the judged rubrics in `rubrics/` of a project.

    Example:
        >>> project_rubrics(Path("no-such-project"))
        []
    """
    return sorted(_stems(root / "rubrics"))


def builtin_folder() -> Path:
    """Where the built-in rubric files lie: inside an installed package, at the top of a checkout."""
    inside = _PACKAGE / "builtin_rubrics"
    return inside if inside.is_dir() else _PACKAGE.parent / "rubrics"


def _locate(name: str, root: Path, folder: Path | None) -> Path:
    if _is_path(name):
        path = (folder or Path()) / name
        if not path.is_file():
            raise InputError(f'no rubric file "{name}": {shown(path)} is missing.')
        return path
    for library in (root / "rubrics", builtin_folder()):
        found = [path for path in (library / f"{name}{suffix}" for suffix in _SUFFIXES) if path.is_file()]
        if len(found) > 1:
            raise InputError(f"{shown(found[0])}: {found[1].name} stands beside it; keep one of the two.")
        if found:
            return found[0]
    known = sorted({*builtin_rubrics(), *project_rubrics(root), *plugins.names("rubrics")})
    raise InputError(
        f'unknown rubric "{name}".{did_you_mean(name, known)} `judgekit list rubrics` shows all {len(known)}.'
    )


def _load(name: str, path: Path) -> Rubric:
    rubric = load_rubric(path)
    if rubric.name != name and not _is_path(name):
        raise InputError(f'{shown(path)}: is found as "{name}" and names itself "{rubric.name}"; make them one.')
    return rubric


def _is_path(name: str) -> bool:
    return name.endswith(_SUFFIXES) or "/" in name or "\\" in name


def _stems(folder: Path) -> set[str]:
    return {path.stem for path in folder.iterdir() if path.suffix in _SUFFIXES} if folder.is_dir() else set()


def _outside(use: RubricUse, low: float, high: float) -> list[Complaint]:
    if use.pass_at is None or as_exact(low) <= use.pass_at <= as_exact(high):
        return []
    said = (
        f'"pass_at" of rubric "{use.name}" is {shown_number(use.pass_at)}, outside its scale from {low:g} to {high:g}.'
    )
    return [Complaint(use.file, use.line, said)]


def _template(path: Path, name: str) -> tuple[str, str]:
    """Source of a template beside the rubric file, or nothing for a built-in one; and what is wrong."""
    own = path.parent / name
    if own.is_file():
        return read_text(own, what="template"), ""
    if name in BUILTIN:
        return "", ""
    return "", f'no template "{name}": neither {shown(own)} nor built in.{did_you_mean(name, BUILTIN)}'


def _scale(form: ScaleForm) -> Scale:
    anchors = {number(point): said for point, said in sorted(form.anchors.items())}
    return Scale(number(form.min), number(form.max), anchors)

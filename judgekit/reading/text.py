"""Bytes of a file in, text out, whatever the machine's own encoding is."""

from __future__ import annotations

from pathlib import Path

from judgekit.errors import InputError


def shown(path: Path) -> str:
    """The path as a person in the working folder would write it, with forward slashes."""
    try:
        return path.resolve().relative_to(Path.cwd()).as_posix()
    except ValueError:
        return path.as_posix()


def read_text(path: Path, *, what: str = "file") -> str:
    """The file as text: UTF-8, byte order mark removed, line ends as they are.

    Raises:
        InputError: no such file, a folder, unreadable, or not UTF-8 (with the line of the first bad byte).
    """
    return _decoded(_bytes(path, what), path)


def read_whole_lines(path: Path, *, what: str = "file") -> str:
    """The file as text without a last line that was cut short, as a kill leaves it, be it amid a character.

    Raises:
        InputError: as of `read_text`.
    """
    data = _bytes(path, what)
    return _decoded(data[: data.rfind(b"\n") + 1], path)


def _bytes(path: Path, what: str) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise InputError(f"{shown(path)}: no such {what}.") from None
    except IsADirectoryError:
        raise InputError(f"{shown(path)}: is a folder, a {what} is wanted.") from None
    except (OSError, ValueError) as problem:
        said = problem.strerror if isinstance(problem, OSError) and problem.strerror else problem
        raise InputError(f"{shown(path)}: cannot be read: {said}.") from problem


def _decoded(data: bytes, path: Path) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data.count(b"\n", 0, problem.start) + 1
        raise InputError(
            f"{shown(path)}:{line}: not UTF-8 (byte 0x{data[problem.start]:02x}). Save the file as UTF-8."
        ) from None


def without_surrogates(text: str) -> str:
    """The text with lone surrogates replaced by U+FFFD: they cannot be written to any file."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text

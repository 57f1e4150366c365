"""What a file is by its bytes, whatever it is called; and what is refused before it is opened."""

from pathlib import Path
from typing import Literal
from zipfile import BadZipFile, ZipFile

from agent.values.file import FileLimits, FileRefused

Kind = Literal["csv", "workbook"]
_ZIP = b"PK\x03\x04"
_COMPOUND = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
# How an encrypted workbook names its content, in the compound file's UTF-16 directory.
_ENCRYPTED = "EncryptedPackage".encode("utf-16-le")
_MACRO_PARTS = ("vbaproject.bin", "macrosheets/", "activex")
# Fewer bytes than this may be packed however well: a sheet of empty rows is small anyway.
_SMALL = 1024 * 1024


def kind_of(path: Path, limits: FileLimits) -> Kind | FileRefused:
    """What the file is, or why it is refused: too large, empty, a macro, a password, a zip bomb, an unread format.

    Reads the beginning and a zip's table of contents; unpacks nothing.
    """
    size = path.stat().st_size
    if size == 0:
        return FileRefused(reason="empty")
    if size > limits.bytes:
        return FileRefused(reason="too_large", params=(("size", _megabytes(size)), ("most", _megabytes(limits.bytes))))
    with path.open("rb") as opened:
        start = opened.read(len(_COMPOUND))
    if start == _COMPOUND:
        return FileRefused(reason="password" if _is_encrypted(path) else "old_excel")
    return _zip_kind(path, limits) if start.startswith(_ZIP) else "csv"


def _is_encrypted(path: Path) -> bool:
    return _ENCRYPTED in path.read_bytes()


def _zip_kind(path: Path, limits: FileLimits) -> Kind | FileRefused:
    try:
        with ZipFile(path) as packed:
            parts = packed.infolist()
    except BadZipFile:
        return FileRefused(reason="damaged")
    names = [part.filename.lower() for part in parts]
    if any(marker in name for name in names for marker in _MACRO_PARTS):
        return FileRefused(reason="macro")
    if any(part.flag_bits & 0x1 for part in parts):
        return FileRefused(reason="password")
    unpacked = sum(part.file_size for part in parts)
    crowded = [p for p in parts if p.file_size > _SMALL and p.file_size > limits.packing * max(p.compress_size, 1)]
    if crowded or unpacked > limits.workbook_bytes:
        params = (("size", _megabytes(unpacked)), ("most", _megabytes(limits.workbook_bytes)))
        return FileRefused(reason="zip_bomb" if crowded else "too_large", params=params)
    return "workbook" if "xl/workbook.xml" in names else FileRefused(reason="not_a_table")


def _megabytes(size: int) -> str:
    return f"{size / 1024 / 1024:.0f}"

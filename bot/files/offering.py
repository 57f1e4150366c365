"""A file of a thread as what it is offered as: a domain and what answers for it."""

from collections.abc import Mapping

from agent.files.beside import domain_beside
from agent.files.domain import domain_of
from agent.values.file import FileId, ThreadFile
from agent.wording.texts import say
from bot.files.loaded import FileCache
from bot.files.scope import OfferedFile
from semantic_catalog.model import LOCALES, Domain, Locale

# A file's instants carry no zone: they are shown as they stand.
ZONE = "UTC"


def offered(file: ThreadFile, originals: Mapping[FileId, ThreadFile], cache: FileCache, *, shared: bool) -> OfferedFile:
    """The file, open to everybody of its thread where it is `shared`; a governed answer beside one is its asker's.

    `originals` hold the file that a governed answer is beside.
    """
    original = originals[file.beside.file] if file.beside else None
    domain = beside_domain(file, original) if original else file_domain(file)
    only_for = None if shared and original is None else file.giver
    return OfferedFile(domain=domain, warehouse=cache.warehouse(file, domain, original), only_for=only_for)


def file_domain(file: ThreadFile) -> Domain:
    """The catalog of a file."""
    counted: dict[Locale, str] = {locale: say(locale, "file.count_of_rows") for locale in LOCALES}
    return domain_of(file.domain, file.name, file.tables, counted, ZONE, file.locale)


def beside_domain(file: ThreadFile, original: ThreadFile) -> Domain:
    """The catalog of a file with a governed answer beside it."""
    assert file.beside is not None
    return domain_beside(file_domain(original), file.domain, file.beside, file.tables[0])

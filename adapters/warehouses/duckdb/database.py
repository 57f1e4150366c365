"""The database of a warehouse: a file opened read only, or tables filled into memory; locked before anybody asks."""

import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import duckdb
from duckdb import DuckDBPyConnection

from adapters.warehouses.duckdb.options import DuckDbOptions
from agent.errors import WarehouseUnavailable

Fill = Callable[[DuckDBPyConnection], None]
Relation = tuple[str, str]
_Stamp = tuple[int, int, int]

_RELATIONS = """
    SELECT schema_name, table_name FROM duckdb_tables() WHERE NOT internal AND database_name = current_database()
    UNION ALL
    SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal AND database_name = current_database()
"""
_SETTLED = "SELECT current_setting('lock_configuration'), current_setting('TimeZone')"


class Database:
    """One database of this process. Every method blocks: call it in a thread; threads may share the object.

    A file is opened when it is first asked for, and again once it has been replaced and nobody reads the old one.
    """

    def __init__(self, content: Path | Fill, options: DuckDbOptions) -> None:
        self._content = content
        self._options = options
        self._lock = threading.Lock()
        self._root: DuckDBPyConnection | None = None
        self._seen: _Stamp | None = None
        self._in_use = 0

    def borrow(self) -> DuckDBPyConnection:
        """A cursor of its own, to be given back. Raises WarehouseUnavailable for a file that cannot be opened."""
        with self._lock:
            cursor = self._current().cursor()
            self._in_use += 1
            return cursor

    def give_back(self, cursor: DuckDBPyConnection) -> None:
        """Close the cursor and with it whatever it still reads."""
        cursor.close()
        with self._lock:
            self._in_use -= 1

    def close(self) -> None:
        """Let go of the file, or forget the tables."""
        with self._lock:
            self._forget()

    def relations(self, cursor: DuckDBPyConnection) -> frozenset[Relation]:
        """Schema and name, in lower case, of the tables and views that governed SQL may read."""
        visible = {schema.lower() for schema in self._options.schemas}
        found = {(schema.lower(), name.lower()) for schema, name in cursor.execute(_RELATIONS).fetchall()}
        return frozenset(relation for relation in found if relation[0] in visible)

    def _current(self) -> DuckDBPyConnection:
        stamp = self._stamp()
        if self._root is not None and stamp != self._seen and not self._in_use:
            self._forget()
        if self._root is None:
            self._root, self._seen = self._opened(), stamp
        return self._root

    def _stamp(self) -> _Stamp | None:
        if not isinstance(self._content, Path):
            return None
        try:
            state = self._content.stat()
        except OSError as error:
            raise WarehouseUnavailable(f"the database file cannot be read: {error.strerror}") from None
        return state.st_ino, state.st_mtime_ns, state.st_size

    def _opened(self) -> DuckDBPyConnection:
        try:
            if isinstance(self._content, Path):
                root = duckdb.connect(self._content, read_only=True, config=self._config())
            else:
                root = duckdb.connect(":memory:", config=self._config())
                self._content(root)
            self._settle(root)
        except duckdb.Error as error:
            raise WarehouseUnavailable(f"the database does not open: {type(error).__name__}") from None
        return root

    def _settle(self, root: DuckDBPyConnection) -> None:
        """Fix zone and settings for good, or find them fixed: one file is opened once for all of a process."""
        if self._is_settled(root):
            return
        # Whoever opens the same file at this very moment may be first.
        with suppress(duckdb.InvalidInputException):
            root.execute(f"SET GLOBAL TimeZone = '{self._options.timezone}'")
            root.execute("SET GLOBAL lock_configuration = true")
        if not self._is_settled(root):
            raise WarehouseUnavailable("the settings of the file cannot be fixed")

    def _is_settled(self, root: DuckDBPyConnection) -> bool:
        ((locked, zone),) = root.execute(_SETTLED).fetchall()
        if locked and zone != self._options.timezone:
            raise WarehouseUnavailable("the file is open already in another time zone")
        return bool(locked)

    def _config(self) -> dict[str, str | bool | int | float | list[str]]:
        return {
            "enable_external_access": False,
            "autoload_known_extensions": False,
            "autoinstall_known_extensions": False,
            "allow_community_extensions": False,
            # Plain names would find the variables of this program.
            "python_enable_replacements": False,
            "temp_directory": "",
            "memory_limit": self._options.memory,
            "threads": self._options.threads,
        }

    def _forget(self) -> None:
        if self._root is not None:
            self._root.close()
            self._root = None

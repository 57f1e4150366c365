from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import duckdb

from adapters.warehouses.duckdb.database import Database
from adapters.warehouses.duckdb.options import DuckDbOptions

AT_ONCE = 8
ROUNDS = 20


def test_a_file_is_opened_by_all_who_ask_for_it_at_the_same_moment(tmp_path: Path) -> None:
    path = tmp_path / "shop.duckdb"
    with duckdb.connect(path) as made:
        made.execute("CREATE TABLE sales (id INTEGER)")
    with ThreadPoolExecutor(AT_ONCE) as threads:
        for _ in range(ROUNDS):
            together = Barrier(AT_ONCE)
            databases = [Database(path, DuckDbOptions(timezone="America/Lima")) for _ in range(AT_ONCE)]

            def zone(database: Database, together: Barrier = together) -> str:
                together.wait()
                cursor = database.borrow()
                ((found,),) = cursor.execute("SELECT current_setting('TimeZone')").fetchall()
                database.give_back(cursor)
                return str(found)

            assert set(threads.map(zone, databases)) == {"America/Lima"}
            for database in databases:
                database.close()

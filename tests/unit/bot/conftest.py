"""Leaves out what needs a server that this machine does not have."""

from bot.embedded_mariadb import mariadb_server

collect_ignore = [] if mariadb_server() else ["test_embedded_mariadb.py"]

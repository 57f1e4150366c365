"""Names of tables and columns as MySQL reads them."""


def quoted(name: str) -> str:
    """A name, or a database's and a table's name with a dot between them, for use in a statement."""
    return ".".join(f"`{part.replace('`', '``')}`" for part in name.split("."))


def place_of(source: str, database: str) -> tuple[str, str]:
    """Database and table of a source; plain names are in `database`."""
    schema, _, table = source.rpartition(".")
    return schema or database, table

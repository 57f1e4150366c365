"""MySQL and MariaDB as a warehouse."""

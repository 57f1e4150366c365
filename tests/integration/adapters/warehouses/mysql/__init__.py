"""The MySQL warehouse against the MariaDB of the machine."""

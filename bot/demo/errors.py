"""What can go wrong while the demo data is loaded."""

from semantic_catalog.errors import OperatorError


class DemoLoadFailed(OperatorError):
    """The embedded database refused the demo data; `detail` is its error class and code."""

    code = "demo_load_failed"

"""The one root of every error the product raises, and its two branches."""


class CountersignError(Exception):
    """Root of all errors. `code` is stable: texts, metrics and tests refer to it."""

    code = "internal"


class AskerError(CountersignError):
    """Something the asker can mend.

    `params` fill the text `error.<code>` of the asker's language. They may name only what that asker may see.
    """

    code = "asker"

    def __init__(self, **params: str | int) -> None:
        self.params = params
        super().__init__(self.code)


class DomainGone(AskerError, KeyError):
    """What was asked about is in the catalog no more."""

    code = "domain_gone"


class OperatorError(CountersignError):
    """Something we must mend: the asker gets a reference id, the log gets `detail`.

    `detail` never holds a token, row data or a message body.
    """

    code = "operator"

    def __init__(self, detail: str) -> None:
        self.detail = detail
        super().__init__(detail)


class CatalogError(OperatorError):
    """The catalog could not be loaded; `detail` lists every fault with its file and line."""

    code = "catalog_invalid"

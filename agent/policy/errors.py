"""What can be wrong with a policy."""

from semantic_catalog.errors import OperatorError


class PolicyError(OperatorError):
    """The policy file cannot be used; `detail` lists every fault with its file and line."""

    code = "policy_invalid"

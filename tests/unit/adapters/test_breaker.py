from adapters.breaker import CircuitBreaker


class Seconds:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_breaker_says_how_it_stands() -> None:
    seconds = Seconds()
    breaker = CircuitBreaker(open_after=2, rest_seconds=30, clock=seconds)
    assert breaker.state() == "closed"
    breaker.failed()
    assert breaker.state() == "closed"
    breaker.failed()
    assert breaker.state() == "open"
    seconds.now = 30
    assert breaker.state() == "half_open"
    assert breaker.allows()
    assert breaker.state() == "open"
    breaker.succeeded()
    assert breaker.state() == "closed"

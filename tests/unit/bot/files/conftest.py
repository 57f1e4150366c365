import pytest

from tests.fakes.clock import FrozenClock


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()

"""The client of Redis or Valkey, and the one place where its errors become ours."""

from collections.abc import Iterator
from contextlib import contextmanager

from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from agent.errors import CacheUnavailable


def create_client(url: str, *, patience: float = 1, max_connections: int = 10, name: str = "countersign") -> Redis:
    """A client that connects when it is first used; close it with `aclose()`.

    `patience` is how many seconds a connect, a reply or one of `max_connections` to come free may take. A connection
    that turns out dead is replaced once. `name` is what the server lists them under, without spaces.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=max_connections,
        timeout=patience,
        decode_responses=True,
        socket_connect_timeout=patience,
        socket_timeout=patience,
        retry=Retry(NoBackoff(), retries=1),
        client_name=name,
    )
    return Redis.from_pool(pool)


@contextmanager
def our_errors() -> Iterator[None]:
    """Raise CacheUnavailable for whatever keeps Redis from answering; `detail` is the error's class only."""
    try:
        yield
    except (RedisError, OSError, TimeoutError) as error:
        raise CacheUnavailable(type(error).__name__) from None

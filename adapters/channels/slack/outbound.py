"""Cards and files into Slack's threads, and to people alone."""

from collections import OrderedDict
from typing import Final

from adapters.channels.slack.clients import SlackClients
from adapters.channels.slack.errors import asking_slack
from adapters.channels.slack.fields import Record, flag, records, text, texts
from adapters.channels.slack.finding import Finding
from adapters.channels.slack.pace import Gate, Pace
from adapters.channels.slack.posting import Posting
from adapters.channels.slack.replies import PrivateReplies
from adapters.channels.slack.thread_ids import SlackThread, read_slack_thread, slack_thread
from adapters.channels.slack.threads import direct_channel
from adapters.channels.slack.uploads import Uploads
from agent.values.identity import ChannelName, ExternalUser, RunId
from agent.values.turn import CardRef, Place
from cards.elements import Attachment, Button, Card
from cards.errors import DeliveryRefused
from semantic_catalog.model import Locale

_MOST_REMEMBERED: Final = 10_000
_NO_SUCH_PERSON: Final = ("user_not_found", "user_disabled", "user_not_visible")


class SlackChannel:
    """The chat platform Slack. Posts at most one message per `pace_seconds` into a conversation, and edits as slowly.

    With a `gate` that holds over all processes that share it. Charts and workbooks stand in the thread as files.
    """

    def __init__(self, clients: SlackClients, pace_seconds: float = 1.0, gate: Gate | None = None) -> None:
        self._clients = clients
        self._pace = Pace(pace_seconds, gate)
        self._posting = Posting(clients, self._pace)
        self._replies = PrivateReplies(client=clients.posting)
        self._uploads = Uploads(clients=clients)
        self._finding = Finding(clients=clients)
        self._done: OrderedDict[str, CardRef] = OrderedDict()

    @property
    def name(self) -> ChannelName:
        """The channel's name, as in thread keys."""
        return "slack"

    async def post(self, place: Place, card: Card, key: str) -> CardRef:
        """Post a card into the thread; the same key posts once. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        done = self._done.get(key)
        if done is not None:
            return done
        posted = await self._posting.post(read_slack_thread(place.thread), card, key)
        return self._remember(key, CardRef(thread=place.thread, message_id=posted))

    async def update(self, place: Place, ref: CardRef, card: Card) -> None:  # noqa: ARG002  # the port's arguments
        """Redraw a posted card. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        await self._posting.edit(read_slack_thread(ref.thread).channel, ref.message_id, card)

    async def attach(self, place: Place, run: RunId, attachment: Attachment) -> CardRef:
        """Put the file into the thread and wait until it stands there; the same file of a run goes once.

        Raises `DeliveryUnavailable` also when Slack took the file and does not show it.
        """
        key = f"{run}:file:{attachment.key}"
        done = self._done.get(key)
        if done is not None:
            return done
        thread = read_slack_thread(place.thread)
        await self._pace.wait(f"post:{thread.channel}")
        shared = await self._uploads.share(thread, attachment)
        return self._remember(key, CardRef(thread=place.thread, message_id=shared))

    async def find(self, place: Place, key: str) -> CardRef | None:
        """The message posted there under the key, by whichever process. Raises `DeliveryUnavailable`."""
        posted = await self._finding.posted(read_slack_thread(place.thread), key)
        return CardRef(thread=place.thread, message_id=posted) if posted else None

    async def find_file(self, place: Place, run: RunId, attachment: Attachment) -> CardRef | None:  # noqa: ARG002
        """The message that brought the file: its name holds the run. Raises `DeliveryUnavailable`."""
        shared = await self._finding.shared(read_slack_thread(place.thread), attachment.name)
        return CardRef(thread=place.thread, message_id=shared) if shared else None

    async def find_direct(self, user: ExternalUser, key: str) -> tuple[CardRef, Place] | None:
        """The message to that person alone. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        channel = await direct_channel(self._clients.repeating, user.user_id)
        root = await self._finding.posted(SlackThread(team=user.tenant, channel=channel, root=""), key)
        if not root:
            return None
        thread = slack_thread(SlackThread(team=user.tenant, channel=channel, root=root))
        return CardRef(thread=thread, message_id=root), Place(thread=thread, address="")

    async def notify(self, place: Place, user: ExternalUser, text: str) -> None:
        """Tell one person of the conversation. Best effort: Slack does not say whether they saw it."""
        await self._replies.tell(read_slack_thread(place.thread), user.user_id, text)

    async def offer(
        self, place: Place, user: ExternalUser, text: str, offers: tuple[Button, ...], locale: Locale
    ) -> None:
        """The same with buttons."""
        await self._replies.tell(read_slack_thread(place.thread), user.user_id, text, offers, locale)

    async def direct(self, user: ExternalUser, card: Card, key: str) -> tuple[CardRef, Place]:
        """Post a card to one person alone, as the root of a thread. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        done = self._done.get(key)
        if done is None:
            channel = await direct_channel(self._clients.repeating, user.user_id)
            alone = SlackThread(team=user.tenant, channel=channel, root="")
            root = await self._posting.post(alone, card, key)
            thread = slack_thread(SlackThread(team=user.tenant, channel=channel, root=root))
            done = self._remember(key, CardRef(thread=thread, message_id=root))
        return done, Place(thread=done.thread, address="")

    async def takes_part(self, place: Place, user: ExternalUser) -> bool:
        """Whether the person wrote in the thread. Raises `DeliveryUnavailable`, `DeliveryRefused`."""
        thread = read_slack_thread(place.thread)
        with asking_slack("conversations.replies"):
            told = await self._clients.repeating.conversations_replies(channel=thread.channel, ts=thread.root, limit=1)
        root: Record = next(records(told.data, "messages"), {})
        return user.user_id in (text(root, "user"), *texts(root, "reply_users"))

    async def is_active(self, user: ExternalUser) -> bool:
        """Whether Slack knows the person and has not deactivated them. Raises `DeliveryUnavailable`."""
        try:
            with asking_slack("users.info"):
                told = await self._clients.repeating.users_info(user=user.user_id)
        except DeliveryRefused as error:
            return not error.detail.endswith(_NO_SUCH_PERSON)
        return not flag(told.data, "user", "deleted")

    def _remember(self, key: str, ref: CardRef) -> CardRef:
        self._done[key] = ref
        if len(self._done) > _MOST_REMEMBERED:
            self._done.popitem(last=False)
        return ref

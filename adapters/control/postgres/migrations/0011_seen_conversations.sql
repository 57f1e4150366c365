-- Where a chat platform's conversations were last heard from; of a personal one, whose it is.
CREATE TABLE countersign.seen_conversations (
    channel      text NOT NULL,
    tenant       text NOT NULL,
    conversation text NOT NULL,
    person       text NOT NULL,
    address      text NOT NULL,
    seen_at      timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (channel, tenant, conversation)
);
CREATE INDEX seen_conversations_of ON countersign.seen_conversations (channel, tenant, person, seen_at DESC);

-- An opinion of a message names the message alone.
CREATE INDEX cards_of_message ON countersign.cards ((ref->>'message_id'));

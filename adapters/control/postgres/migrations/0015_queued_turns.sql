-- Turns whose place in the queue a thread was told, until they are handled. `said` is how many were before it then,
-- `held_until` how long whoever tells it may be about to; nobody tells anything more once the turn has `begun`.
CREATE TABLE countersign.queued_turns (
    event      text PRIMARY KEY,
    said       integer,
    said_at    timestamptz NOT NULL DEFAULT '-infinity',
    holder     text NOT NULL DEFAULT '',
    held_until timestamptz NOT NULL DEFAULT '-infinity',
    waits_for  text NOT NULL DEFAULT '',
    begun      boolean NOT NULL DEFAULT false,
    noted_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX queued_turns_noted ON countersign.queued_turns (noted_at);

-- Who handles an event's turn, and until when that may be believed: renewed while the turn is handled.
ALTER TABLE countersign.events
    ADD COLUMN holder text NOT NULL DEFAULT '',
    ADD COLUMN held_until timestamptz NOT NULL DEFAULT '-infinity';
CREATE INDEX events_job ON countersign.events (job);

-- A message about to be posted. It stays until the platform's id of it is kept in cards: a post whose row is found
-- here was cut short and may stand in the thread.
CREATE TABLE countersign.posts (
    run     text NOT NULL,
    slot    text NOT NULL,
    noted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (run, slot)
);
CREATE INDEX posts_noted ON countersign.posts (noted_at);

-- What could not be delivered yet, in the order of each thread. Dead ones are kept for the administrator.
CREATE TABLE countersign.letters (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    run        text NOT NULL,
    slot       text NOT NULL,
    thread     text NOT NULL,
    letter     json NOT NULL,
    attempts   integer NOT NULL DEFAULT 1,
    queued_at  timestamptz NOT NULL DEFAULT now(),
    due_at     timestamptz NOT NULL,
    held_until timestamptz NOT NULL DEFAULT '-infinity',
    fault      text NOT NULL,
    is_dead    boolean NOT NULL DEFAULT false,
    UNIQUE (run, slot)
);
CREATE INDEX letters_of_thread ON countersign.letters (thread, id) WHERE NOT is_dead;
CREATE INDEX letters_dead ON countersign.letters (queued_at) WHERE is_dead;

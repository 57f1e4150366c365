-- Platform events already taken by a job: a repeated delivery is one turn, whatever Redis remembers.
CREATE TABLE countersign.events (
    event text PRIMARY KEY,
    job bigint NOT NULL,
    taken_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX events_taken_at ON countersign.events (taken_at);

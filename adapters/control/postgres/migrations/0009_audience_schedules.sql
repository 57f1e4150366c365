-- Answers that stand with their asker alone, until they share them; the place is the conversation they were asked in.
CREATE TABLE countersign.withheld (
    run     text PRIMARY KEY REFERENCES countersign.runs ON DELETE CASCADE,
    kept_at timestamptz NOT NULL,
    outcome json NOT NULL,
    place   json NOT NULL
);

-- What people had sent to them again and again. `due_at` is the next time of an active one.
CREATE TABLE countersign.schedules (
    id         text PRIMARY KEY,
    owner      text NOT NULL,
    channel    text NOT NULL,
    tenant     text NOT NULL,
    status     text NOT NULL,
    due_at     timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    schedule   json NOT NULL
);
CREATE INDEX schedules_due ON countersign.schedules (due_at) WHERE status = 'active';
CREATE INDEX schedules_of ON countersign.schedules (owner, created_at);

CREATE TABLE countersign.runs (
    run        text PRIMARY KEY,
    thread     text NOT NULL,
    status     text NOT NULL,
    fingerprint text NOT NULL,
    revision   integer NOT NULL,
    created_at timestamptz NOT NULL,
    expires_at timestamptz,
    -- json, not jsonb: people's words come back exactly as they were written.
    record     json NOT NULL
);
CREATE INDEX runs_waiting ON countersign.runs (thread, created_at)
    WHERE status IN ('awaiting_approval', 'needs_clarification');
CREATE INDEX runs_expiring ON countersign.runs (expires_at) WHERE status = 'awaiting_approval';

CREATE TABLE countersign.decisions (
    run         text NOT NULL REFERENCES countersign.runs ON DELETE CASCADE,
    revision    integer NOT NULL,
    kind        text NOT NULL,
    decided_by  text NOT NULL,
    fingerprint text NOT NULL,
    text        text NOT NULL,
    decision    json NOT NULL,
    PRIMARY KEY (run, revision)
);

CREATE TABLE countersign.cards (
    run   text NOT NULL,
    slot  text NOT NULL,
    ref   json NOT NULL,
    place json NOT NULL,
    PRIMARY KEY (run, slot)
);

CREATE TABLE countersign.artifacts (
    run        text NOT NULL,
    key        text NOT NULL,
    name       text NOT NULL,
    media_type text NOT NULL,
    title      text NOT NULL,
    alt        text NOT NULL,
    content    bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (run, key)
);
CREATE INDEX artifacts_expiring ON countersign.artifacts (expires_at);
-- Charts, workbooks and result chunks are compressed already.
ALTER TABLE countersign.artifacts ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE countersign.results (
    id         text PRIMARY KEY,
    run        text NOT NULL UNIQUE,
    row_count  bigint NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX results_expiring ON countersign.results (expires_at);

CREATE TABLE countersign.result_chunks (
    result  text NOT NULL REFERENCES countersign.results ON DELETE CASCADE,
    number  integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (result, number)
);
ALTER TABLE countersign.result_chunks ALTER COLUMN content SET STORAGE EXTERNAL;

CREATE TABLE countersign.memories (
    thread  text PRIMARY KEY,
    version integer NOT NULL,
    memory  json NOT NULL
);

CREATE TABLE countersign.audit (
    id            bigint PRIMARY KEY,
    run           text NOT NULL,
    event         text NOT NULL,
    by_whom       text NOT NULL,
    at            timestamptz NOT NULL,
    facts         text NOT NULL,
    previous_hash text NOT NULL,
    hash          text NOT NULL
);
CREATE INDEX audit_of_run ON countersign.audit (run, id);

CREATE TABLE countersign.audit_head (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id       bigint NOT NULL,
    hash     text NOT NULL
);
INSERT INTO countersign.audit_head (id, hash) VALUES (0, '');

CREATE FUNCTION countersign.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'integrity_constraint_violation';
END
$$;
CREATE TRIGGER audit_append_only BEFORE UPDATE OR DELETE ON countersign.audit
    FOR EACH ROW EXECUTE FUNCTION countersign.refuse_change();
CREATE TRIGGER audit_no_truncate BEFORE TRUNCATE ON countersign.audit
    FOR EACH STATEMENT EXECUTE FUNCTION countersign.refuse_change();

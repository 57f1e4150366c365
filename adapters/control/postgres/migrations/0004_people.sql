-- What a person told the product about their own words and habits, kept until 90 days after its last use.
CREATE TABLE countersign.personal_memories (
    id      text PRIMARY KEY,
    person  text NOT NULL,
    slot    text NOT NULL,
    words   text NOT NULL,
    domain  text NOT NULL,
    used_at timestamptz NOT NULL,
    memory  json NOT NULL,
    UNIQUE (person, slot, words, domain)
);
CREATE INDEX personal_memories_used ON countersign.personal_memories (used_at);

-- A thumb and the reason given with it: words of a person, so kept apart from the audit log.
CREATE TABLE countersign.feedback (
    run      text NOT NULL,
    person   text NOT NULL,
    verb     text NOT NULL,
    text     text NOT NULL,
    given_at timestamptz NOT NULL,
    PRIMARY KEY (run, person)
);
CREATE INDEX feedback_given ON countersign.feedback (given_at);

-- What an administrator switched for every process: paused domains, and which catalog generation is wanted.
CREATE TABLE countersign.switches (
    name    text PRIMARY KEY,
    value   text NOT NULL,
    by_whom text NOT NULL,
    set_at  timestamptz NOT NULL
);

ALTER TABLE countersign.runs ADD COLUMN asker text GENERATED ALWAYS AS (record->>'asker') STORED;
CREATE INDEX runs_of_asker ON countersign.runs (asker, created_at DESC);
CREATE INDEX runs_created ON countersign.runs (created_at);

ALTER TABLE countersign.cards ADD COLUMN posted_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX cards_posted ON countersign.cards (posted_at);

-- Where the audit log begins after its oldest part was exported and cut: the id and hash of the last entry cut.
CREATE TABLE countersign.audit_anchor (
    only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    id       bigint NOT NULL,
    hash     text NOT NULL
);
INSERT INTO countersign.audit_anchor (id, hash) VALUES (0, '');

-- Only a whole prefix of the log may go, together with the anchor that keeps the rest verifiable.
CREATE FUNCTION countersign.cut_audit(last bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    cut bigint;
BEGIN
    PERFORM id FROM countersign.audit_head FOR UPDATE;
    UPDATE countersign.audit_anchor SET id = a.id, hash = a.hash FROM countersign.audit a WHERE a.id = last;
    IF NOT FOUND THEN
        RETURN 0;
    END IF;
    PERFORM set_config('countersign.cutting', last::text, true);
    DELETE FROM countersign.audit WHERE id <= last;
    GET DIAGNOSTICS cut = ROW_COUNT;
    PERFORM set_config('countersign.cutting', '', true);
    RETURN cut;
END
$$;
CREATE OR REPLACE FUNCTION countersign.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' AND OLD.id <= coalesce(nullif(current_setting('countersign.cutting', true), '')::bigint, 0) THEN
        RETURN OLD;
    END IF;
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

-- What happened once is written once: a turn handled again after a crash adds no second row under the same key.
ALTER TABLE countersign.audit ADD COLUMN once text;
CREATE UNIQUE INDEX audit_once ON countersign.audit (run, once) WHERE once IS NOT NULL;

-- Approvals of a kind of question, for one asker each; ended ones stay until the kind is approved again.
CREATE TABLE countersign.standing_approvals (
    id         text NOT NULL UNIQUE,
    kind       text NOT NULL,
    asker      text NOT NULL,
    granted_at timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    revoked_at timestamptz,
    approval   json NOT NULL,
    PRIMARY KEY (kind, asker)
);

-- When the whole audit log was verified last, and the first entry that was not as it was written (NULL: all are).
CREATE TABLE countersign.audit_check (
    only_row   boolean PRIMARY KEY DEFAULT true CHECK (only_row),
    checked_at timestamptz NOT NULL,
    broken_at  bigint
);

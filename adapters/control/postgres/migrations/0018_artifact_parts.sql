-- A file that is too long for one value: its bytes lie in parts, and `length` says how many there are.
ALTER TABLE countersign.artifacts ADD COLUMN length bigint;

CREATE TABLE countersign.artifact_parts (
    run     text NOT NULL,
    key     text NOT NULL,
    number  integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (run, key, number),
    FOREIGN KEY (run, key) REFERENCES countersign.artifacts ON DELETE CASCADE
);
ALTER TABLE countersign.artifact_parts ALTER COLUMN content SET STORAGE EXTERNAL;

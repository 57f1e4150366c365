-- Files given in threads: what they are, and their bytes in parts, so that no file is ever held whole in memory.
CREATE TABLE countersign.files (
    id         text PRIMARY KEY,
    thread     text NOT NULL,
    giver      text NOT NULL,
    size       bigint NOT NULL,
    given_at   timestamptz NOT NULL,
    expires_at timestamptz NOT NULL,
    file       json NOT NULL
);
CREATE INDEX files_thread ON countersign.files (thread);
CREATE INDEX files_giver ON countersign.files (giver);
CREATE INDEX files_expires_at ON countersign.files (expires_at);

CREATE TABLE countersign.file_parts (
    file    text NOT NULL REFERENCES countersign.files (id) ON DELETE CASCADE,
    part    integer NOT NULL,
    content bytea NOT NULL,
    PRIMARY KEY (file, part)
);
-- Files are mostly packed or rarely read twice: packing them again only costs time.
ALTER TABLE countersign.file_parts ALTER COLUMN content SET STORAGE EXTERNAL;

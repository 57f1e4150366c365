-- Which processes serve this database, what they run with, and how many connections each may open.

CREATE TABLE countersign.processes (
    id text PRIMARY KEY,
    kind text NOT NULL,
    host text NOT NULL,
    pid integer NOT NULL,
    -- The application_name of its connections: the server itself tells whether any stands.
    name text NOT NULL,
    version text NOT NULL,
    connections integer NOT NULL CHECK (connections > 0),
    catalog text NOT NULL DEFAULT '',
    policy text NOT NULL DEFAULT '',
    models text NOT NULL DEFAULT '',
    faults text[] NOT NULL DEFAULT '{}',
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now()
);

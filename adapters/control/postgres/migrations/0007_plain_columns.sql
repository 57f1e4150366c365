-- People's words may hold what PostgreSQL's JSON operators refuse (U+0000): what is searched by is a column of its own.
ALTER TABLE countersign.runs ALTER COLUMN asker DROP EXPRESSION;
ALTER TABLE countersign.memories ADD COLUMN finished_at timestamptz NOT NULL DEFAULT now();

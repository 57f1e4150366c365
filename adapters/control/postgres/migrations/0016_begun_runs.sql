-- A turn that was cut short finds what it had begun: the run whose question it answered, or whose proposal it decided.
-- Plain columns: people's words in the records may hold what the JSON operators refuse.
ALTER TABLE countersign.runs ADD COLUMN moved_by text NOT NULL DEFAULT '';
ALTER TABLE countersign.decisions ADD COLUMN event text NOT NULL DEFAULT '';
CREATE INDEX runs_moved_by ON countersign.runs (moved_by) WHERE moved_by <> '';
CREATE INDEX decisions_event ON countersign.decisions (event) WHERE event <> '';
UPDATE countersign.decisions SET event = coalesce(decision->>'event', '') WHERE strpos(decision::text, '\u0000') = 0;

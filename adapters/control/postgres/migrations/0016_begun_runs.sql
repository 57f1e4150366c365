-- A turn that was cut short finds what it had begun: the run whose question it answered, or whose proposal it decided.
CREATE INDEX runs_moved_by ON countersign.runs ((record->>'moved_by')) WHERE record->>'moved_by' <> '';
CREATE INDEX decisions_event ON countersign.decisions ((decision->>'event'));

-- What a run fetched, beside its rows: a run that was cut short goes on from them and queries nothing again.
ALTER TABLE countersign.results ADD COLUMN fetched json;

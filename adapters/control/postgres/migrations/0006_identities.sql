-- Under which id a platform knew a person last: memberships of groups are asked for under it.
CREATE TABLE countersign.identities (
    principal text NOT NULL,
    channel   text NOT NULL,
    who       json NOT NULL,
    PRIMARY KEY (principal, channel)
);

-- One row an installation: `owner` is a workspace (T…), or a whole organisation (E…). Its tokens are encrypted.
CREATE TABLE countersign.slack_installations (
    owner        text PRIMARY KEY,
    sealed       bytea NOT NULL,
    installed_at timestamptz NOT NULL DEFAULT now()
);

-- Workspaces of organisations that installed the app as a whole: a thread names its workspace only.
CREATE TABLE countersign.slack_workspaces (
    team  text PRIMARY KEY,
    owner text NOT NULL REFERENCES countersign.slack_installations ON DELETE CASCADE
);

-- Installations under way; the states themselves are not kept.
CREATE TABLE countersign.slack_oauth_states (
    digest     bytea PRIMARY KEY,
    expires_at timestamptz NOT NULL
);

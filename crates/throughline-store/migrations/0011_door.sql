-- Who may come in over HTTP: each token by its id, its secret only as a hash. Like `project_key` it is found without knowing the
-- project; on a distributed database it is a reference table.
create table access_token (
    token_id text not null,
    name text not null,
    role text not null,
    -- The one project it is for; all when there is none.
    project_id text,
    actor text not null,
    secret_hash text not null,
    created_at bigint not null,
    expires_at bigint,
    revoked_at bigint,
    primary key (token_id)
);

-- Working sets are not in the log; these numbers let readers follow them as positions let them follow the log.
alter table project add column set_revision bigint not null default 0;
create table set_change (
    project_id text not null,
    agent text not null,
    -- The project's number at its last change.
    revision bigint not null,
    primary key (project_id, agent)
);

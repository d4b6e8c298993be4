-- The log, and the projects and sessions it belongs to. Times are microseconds since 1970.

-- Leads with the project like every table, so that the schema can be distributed by project.
create table project (
    project_id text not null,
    name text not null,
    created_at bigint not null,
    -- The position of the newest event: the lock and the counter that make positions gapless.
    last_position bigint not null,
    primary key (project_id)
);

-- The ways to recognise a project (name:…, remote:…, folder:…). The one table that must be found without
-- knowing the project; on a distributed database it is a reference table.
create table project_key (
    key text not null,
    project_id text not null,
    primary key (key)
);

create table session (
    project_id text not null,
    session_id text not null,
    client text not null,
    client_session text not null,
    chatmode text not null,
    user_name text not null,
    workflow text,
    skill text,
    git_branch text,
    workspace text,
    parent_session_id text,
    metadata text,
    started_at bigint not null,
    last_event_at bigint not null,
    ended_at bigint,
    end_reason text,
    last_sequence bigint not null,
    scratchpad text not null,
    scratchpad_version bigint not null,
    primary key (project_id, session_id)
);
create unique index session_of_client on session (project_id, client_session, client, chatmode);

create table event (
    project_id text not null,
    position bigint not null,
    event_id text not null,
    session_id text not null,
    sequence bigint not null,
    at bigint not null,
    actor_kind text not null,
    actor_name text not null,
    kind text not null,
    role text not null,
    target text,
    summary text not null,
    content text,
    content_packed bytea,
    parts text,
    parts_packed bytea,
    item_id text,
    triggered_by text,
    informs text,
    rationale text,
    client_key text,
    tokens bigint not null,
    redactions bigint not null,
    purged_at bigint,
    purged_by text,
    purge_reason text,
    primary key (project_id, position)
);
create unique index event_by_id on event (project_id, event_id);
create unique index event_in_session on event (project_id, session_id, sequence);
create unique index event_by_client_key on event (project_id, client_key) where client_key is not null;
create index event_by_item on event (project_id, item_id, position) where item_id is not null;
create index event_by_kind on event (project_id, kind, position);
create index event_by_time on event (project_id, at);

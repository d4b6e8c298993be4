-- What agents hold, what they put aside, and what they hand on.
create table context_entry (
    project_id text not null,
    agent text not null,
    entry_id text not null,
    type text not null,
    content text not null,
    content_hash text not null,
    tokens bigint not null,
    -- As the agent gave it; the type's own weight when it gave none.
    importance double precision,
    item_id text,
    -- As of the last time that anybody looked.
    tier text not null,
    state text not null,
    access_count bigint not null,
    created_at bigint not null,
    last_accessed_at bigint not null,
    -- The hash of what the agent has been given of it, and nothing when it has not got it.
    loaded_hash text,
    primary key (project_id, agent, entry_id)
);

create table checkpoint (
    project_id text not null,
    checkpoint_id text not null,
    agent text not null,
    session_id text,
    reason text not null,
    title text not null,
    position bigint not null,
    created_at bigint not null,
    entries bigint not null,
    tokens bigint not null,
    -- JSON, compressed when it is long.
    body text,
    body_packed bytea,
    primary key (project_id, checkpoint_id)
);

create table handoff (
    project_id text not null,
    handoff_id text not null,
    from_role text not null,
    to_role text not null,
    workflow text,
    session_id text not null,
    given_by text not null,
    given_at bigint not null,
    -- JSON.
    context text not null,
    summary text not null,
    taken_by text,
    taken_session text,
    taken_at bigint,
    primary key (project_id, handoff_id)
);
create index handoff_pending on handoff (project_id, to_role, handoff_id) where taken_at is null;

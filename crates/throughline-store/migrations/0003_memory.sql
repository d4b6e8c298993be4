-- What lasts: one statement per row. A body is never rewritten; a change is a new memory that supersedes it.
create table memory (
    project_id text not null,
    -- 1, 2, 3 … in the order of writing: what the search index calls the memory.
    number bigint not null,
    memory_id text not null,
    kind text not null,
    scope text not null,
    status text not null,
    title text not null,
    content text not null,
    -- Each on a line of its own, between line breaks.
    tags text not null,
    importance double precision not null,
    confidence double precision not null,
    source text not null,
    actor_kind text not null,
    actor_name text not null,
    state_key text,
    supersedes text,
    superseded_by text,
    created_at bigint not null,
    occurred_at bigint,
    expires_at bigint,
    -- When and why it stopped being active.
    ended_at bigint,
    end_reason text,
    last_used_at bigint,
    use_count bigint not null,
    content_hash text not null,
    primary key (project_id, number)
);
create unique index memory_by_id on memory (project_id, memory_id);
create index memory_by_content on memory (project_id, content_hash);
create unique index memory_by_state_key on memory (project_id, scope, state_key)
    where state_key is not null and status = 'active';

-- Where a memory came from: the events that say it, and the sessions they belong to.
create table memory_origin (
    project_id text not null,
    memory_id text not null,
    event_id text not null,
    session_id text not null,
    primary key (project_id, memory_id, event_id)
);

-- Background work, leased by whichever long-lived process is there. One row per project, kind and key.
create table job (
    project_id text not null,
    kind text not null,
    key text not null,
    payload text not null,
    state text not null,
    -- Counts the requests that were merged into this row; a run that ends finds out whether more came meanwhile.
    requests bigint not null,
    attempts bigint not null,
    run_at bigint not null,
    deadline bigint,
    lease_owner text,
    leased_until bigint,
    error text,
    created_at bigint not null,
    primary key (project_id, kind, key)
);
create index job_by_time on job (state, run_at);

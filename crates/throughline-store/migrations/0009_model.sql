-- What a model was asked for, what became of it and what it cost. A row is written before the model is asked, with the most
-- that the answer can cost, so that the day's budget also holds for other processes and for those that die; the answer
-- puts the truth in its place. What was said is not here.
create table model_call (
    project_id text not null,
    call_id text not null,
    -- Days since 1970, UTC.
    day bigint not null,
    asked_at bigint not null,
    purpose text not null,
    model text not null,
    outcome text not null,
    tokens_in bigint not null,
    tokens_out bigint not null,
    cost double precision,
    duration_micros bigint not null,
    detail text,
    primary key (project_id, call_id)
);
create index model_call_by_day on model_call (project_id, day, asked_at);

-- Answers that were good, by a hash of the model and everything it was asked.
create table model_answer (
    project_id text not null,
    key text not null,
    answer text not null,
    used_at bigint not null,
    primary key (project_id, key)
);
create index model_answer_by_use on model_answer (project_id, used_at);

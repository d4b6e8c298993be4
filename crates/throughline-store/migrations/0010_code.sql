-- Code: a project's files as they were indexed, the chunks they are made of, and the commits that changed them. All of
-- it is made from the folder and can be made again; what is in the files is not kept.
create table file (
    project_id text not null,
    -- Stays when the file is moved.
    number bigint not null,
    path text not null,
    hash text not null,
    bytes bigint not null,
    -- The file's own time; -1 when it is to be read again whatever the time says.
    modified bigint not null,
    language text,
    lines bigint not null,
    -- Its chunks have neighbouring numbers.
    first_chunk bigint not null,
    chunks bigint not null,
    -- The number under which the search index knows its path; nothing when it is not found at all.
    document bigint,
    -- Why it is not found.
    refused text,
    indexed_at bigint not null,
    primary key (project_id, number)
);
create unique index file_by_path on file (project_id, path);
create unique index file_by_document on file (project_id, document) where document is not null;

create table chunk (
    project_id text not null,
    -- The number under which the search index knows its text.
    number bigint not null,
    file bigint not null,
    kind text,
    -- The symbols in it, one on each line.
    symbols text not null,
    signature text not null,
    first_line bigint not null,
    last_line bigint not null,
    primary key (project_id, number)
);

-- Which commits changed a file.
create table revision (
    project_id text not null,
    path text not null,
    at bigint not null,
    commit_id text not null,
    subject text not null,
    primary key (project_id, path, at, commit_id)
);
create index revision_by_commit on revision (project_id, commit_id);
create index revision_by_time on revision (project_id, at);

-- How the index of a project's code stands, and what searches made of it.
create table code_index (
    project_id text not null,
    root text not null,
    machine text not null,
    started_at bigint,
    -- When everything was last looked at to the end.
    finished_at bigint,
    duration_us bigint not null,
    files bigint not null,
    left_out bigint not null,
    unreadable bigint not null,
    waiting bigint not null,
    -- The newest commit whose changes are known.
    head text,
    searches bigint not null,
    answered bigint not null,
    fallbacks bigint not null,
    shown bigint not null,
    stale bigint not null,
    primary key (project_id)
);

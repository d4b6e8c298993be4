-- What memory files said when they were last brought in step with the memories: one row for each block of a file in a
-- working copy. Without its text, which is the memory's.
create table memory_file_block (
    project_id text not null,
    -- The working copy: every clone and worktree has files of its own.
    place text not null,
    file text not null,
    -- What the block is called in the file, from its first writing on.
    key text not null,
    -- The memory that it showed.
    memory_id text not null,
    -- Of the text.
    hash text not null,
    -- What the file said about itself; a file that says something else is not the one that was written then.
    mark text not null,
    primary key (project_id, place, file, key)
);
create index memory_file_block_by_key on memory_file_block (project_id, key);

-- Who touched a file is looked up by its path.
create index event_by_target on event (project_id, target, position) where target is not null;

-- How long the runs of the index of a project's code took, all together and the longest.
alter table code_index add column runs bigint not null default 0;
alter table code_index add column total_us bigint not null default 0;
alter table code_index add column longest_us bigint not null default 0;

-- The number under which the search index knows a memory's present words: those that it was also said in are found too.
alter table memory add column document bigint not null default 0;
update memory set document = number;
create index memory_by_document on memory (project_id, document);

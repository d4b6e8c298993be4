-- The search index: everything here is made from the records and can be made again.
-- One table of pages, so that both databases keep, lock and restore it with everything else; what is in a page
-- is the engine's to know.
create table index_page (
    project_id text not null,
    collection text not null,
    area text not null,
    number bigint not null,
    part bigint not null,
    data bytea not null,
    primary key (project_id, collection, area, number, part)
);

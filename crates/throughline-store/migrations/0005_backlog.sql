-- The work: items in a tree, resources beside them, and the links between all of these.
create table item (
    project_id text not null,
    -- 1, 2, 3 … in the order of creation.
    number bigint not null,
    item_id text not null,
    type text not null,
    title text not null,
    description text not null,
    status text not null,
    -- When it came to this status.
    status_at bigint not null,
    parent_id text,
    priority text,
    due_date text,
    -- Whether history is wanted beside it; the project's policy decides when nothing is said.
    context text,
    -- JSON: what is kept with the item and never asked for by itself.
    sources text not null,
    evidence text not null,
    blocked_reason text not null,
    summary text,
    validation text,
    -- What an import brought that has no column here, and what the item is called where it came from.
    extra text,
    source_key text,
    created_at bigint not null,
    updated_at bigint not null,
    -- The number under which the search index knows its present text.
    document bigint not null,
    -- How many items are one, two and three steps below it.
    children bigint not null,
    grandchildren bigint not null,
    great_grandchildren bigint not null,
    primary key (project_id, number)
);
create unique index item_by_id on item (project_id, item_id);
create unique index item_by_document on item (project_id, document);
create unique index item_by_source on item (project_id, source_key) where source_key is not null;
create index item_by_parent on item (project_id, parent_id, status, number);
create index item_by_parent_change on item (project_id, parent_id, updated_at, number);
create index item_by_status on item (project_id, status, updated_at);
create index item_by_change on item (project_id, updated_at, number);

-- Numbers that were given out, so that none is given out again: one row for each sort.
create table item_counter (
    project_id text not null,
    name text not null,
    last bigint not null,
    primary key (project_id, name)
);

create table resource (
    project_id text not null,
    number bigint not null,
    path text not null,
    title text not null,
    content text not null,
    created_at bigint not null,
    updated_at bigint not null,
    version bigint not null,
    document bigint not null,
    primary key (project_id, number)
);
create unique index resource_by_path on resource (project_id, path);
create unique index resource_by_document on resource (project_id, document);

-- A typed edge from one record to another, found from both ends.
create table link (
    project_id text not null,
    from_kind text not null,
    from_id text not null,
    kind text not null,
    to_kind text not null,
    to_id text not null,
    -- The place among the links of the record it comes from.
    ordinal bigint not null,
    -- The number of the record it comes from: the order in which links to one record are shown.
    from_number bigint not null,
    primary key (project_id, from_kind, from_id, kind, to_kind, to_id)
);
create index link_to on link (project_id, to_kind, to_id, kind, from_kind, from_number);

-- What happened to an item, in the order of time.
drop index event_by_item;
create index event_by_item on event (project_id, item_id, at, position, kind) where item_id is not null;

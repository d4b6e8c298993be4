create table document_vector (
    project_id text not null,
    collection text not null,
    model text not null,
    page bigint not null,
    signs bit varying not null,
    primary key (project_id, collection, model, page)
);

-- With the rights of whoever made the table: who may write pages need not know of it.
create or replace function keep_document_vector() returns trigger language plpgsql
    security definer set search_path = pg_catalog as $$
begin
    if tg_op = 'DELETE' then
        delete from {schema}.document_vector
        where project_id = old.project_id and collection = old.collection
          and model = substr(old.area, length('codes:') + 1) and page = old.number;
    else
        insert into {schema}.document_vector (project_id, collection, model, page, signs)
        values (new.project_id, new.collection, substr(new.area, length('codes:') + 1), new.number,
                cast('x' || encode(new.data, 'hex') as bit varying))
        on conflict (project_id, collection, model, page) do update set signs = excluded.signs;
    end if;
    return null;
end
$$;

create trigger keep_document_vector after insert or update on index_page
    for each row when (new.area like 'codes:%') execute function keep_document_vector();
create trigger drop_document_vector after delete on index_page
    for each row when (old.area like 'codes:%') execute function keep_document_vector();

insert into document_vector (project_id, collection, model, page, signs)
select project_id, collection, substr(area, length('codes:') + 1), number,
       cast('x' || encode(data, 'hex') as bit varying)
from index_page where area like 'codes:%';

-- What the model of a session has been given and still has, so that it is not told twice: a JSON document made from the
-- log's own notes of it.
alter table session add column given text;

-- The rules and decisions that hold, newest first, and how many.
create index memory_by_standing on memory (project_id, status, kind, number, expires_at);

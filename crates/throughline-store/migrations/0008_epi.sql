-- When a memory was last shown to be true, which is not when it was last used.
alter table memory add column last_verified_at bigint;
-- The code that it cites: a JSON list of path, lines and hash.
alter table memory add column cites text;

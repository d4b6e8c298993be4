-- What an event said of a memory, where its words are not the memory's.
alter table memory_origin add column said text;

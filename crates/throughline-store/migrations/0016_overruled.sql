-- Whether an event tells only what does not hold any more is asked of each that a search finds.
create index memory_origin_by_event on memory_origin (project_id, event_id);

-- The trace (W3C Trace Context) of the request or task that has written this one down.
ALTER TABLE tasks ADD COLUMN trace_parent TEXT;

-- Who carries it: the id of a carrier of the configuration.
ALTER TABLE shipments ADD COLUMN carrier TEXT;

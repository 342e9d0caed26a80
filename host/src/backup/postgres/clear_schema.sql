-- Removes what the shop has in its schema, so that a backup can be put there: also tables and functions that
-- migrations have added since. Objects of extensions stay.
SET LOCAL lock_timeout = '30s';
SET LOCAL client_min_messages = warning;
DO $$
DECLARE
    statement TEXT;
BEGIN
    FOR statement IN
        SELECT format('DROP %s IF EXISTS %I.%I CASCADE',
                      CASE c.relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
                                     ELSE 'TABLE' END,
                      current_schema(), c.relname)
        FROM pg_class c
        WHERE c.relnamespace = current_schema()::regnamespace
          AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
          AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid
                                                      AND d.deptype IN ('e', 'i', 'a'))
    LOOP
        EXECUTE statement;
    END LOOP;
    FOR statement IN
        SELECT format('DROP ROUTINE IF EXISTS %s CASCADE', p.oid::regprocedure)
        FROM pg_proc p
        WHERE p.pronamespace = current_schema()::regnamespace
          AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid
                                                      AND d.deptype = 'e')
    LOOP
        EXECUTE statement;
    END LOOP;
    FOR statement IN
        SELECT format('DROP TYPE IF EXISTS %I.%I CASCADE', current_schema(), t.typname)
        FROM pg_type t
        WHERE t.typnamespace = current_schema()::regnamespace
          AND (t.typtype IN ('e', 'd')
               OR t.typtype = 'c' AND EXISTS (SELECT 1 FROM pg_class c WHERE c.oid = t.typrelid AND c.relkind = 'c'))
          AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.classid = 'pg_type'::regclass AND d.objid = t.oid
                                                      AND d.deptype = 'e')
    LOOP
        EXECUTE statement;
    END LOOP;
END
$$;

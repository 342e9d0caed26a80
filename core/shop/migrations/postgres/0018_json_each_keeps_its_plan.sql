-- PostgreSQL plans the body of a function in SQL anew in each statement that calls it; one in PL/pgSQL once in a session.
CREATE OR REPLACE FUNCTION json_each(document TEXT) RETURNS TABLE (key BIGINT, value JSONB)
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 1
    AS $$
    BEGIN
        RETURN QUERY SELECT ordinality - 1, element
                     FROM jsonb_array_elements(document::JSONB) WITH ORDINALITY AS elements (element, ordinality);
    END
    $$;

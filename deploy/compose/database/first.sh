#!/usr/bin/env bash
# Run once, by the first of all servers: the shop's role and database, and the role that standbys copy with.
set -euo pipefail

psql --username=postgres --set=ON_ERROR_STOP=1 --set=stoa="$STOA_PASSWORD" --set=replicator="$REPLICATION_PASSWORD" <<'SQL'
CREATE ROLE replicator REPLICATION LOGIN PASSWORD :'replicator';
CREATE ROLE stoa LOGIN PASSWORD :'stoa';
CREATE DATABASE stoa OWNER stoa ENCODING 'UTF8' TEMPLATE template0;
-- A commit is answered when one standby has it as well; see docs/operate/failover.md.
ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (db1, db2, db3)';
SQL
printf 'host replication replicator all scram-sha-256\n' >>"$PGDATA/pg_hba.conf"

#!/usr/bin/env bash
# Writes the pooler's settings from what Compose says, and starts it.
set -euo pipefail

umask 077
printf '"stoa" "%s"\n' "$STOA_PASSWORD" >/tmp/users.txt
cat >/tmp/pgbouncer.ini <<INI
[databases]
stoa = host=$SERVER dbname=stoa
[pgbouncer]
listen_addr = *
listen_port = 6432
auth_type = scram-sha-256
auth_file = /tmp/users.txt
pool_mode = transaction
max_client_conn = 500
default_pool_size = 40
server_connect_timeout = 3
INI
exec pgbouncer /tmp/pgbouncer.ini

#!/usr/bin/env bash
# Starts one of the database's servers. Without data it copies those of the server that takes writes.
#
#   first   makes the shop's database, once in its life
#   empty   deletes the data of a server that was the primary and is no more
set -euo pipefail

primary="host=$SERVERS user=replicator password=$REPLICATION_PASSWORD target_session_attrs=read-write connect_timeout=3"
settings=(-c cluster_name="$HOSTNAME" -c wal_keep_size=1GB)

another_takes_writes() {
    psql --dbname="$primary dbname=postgres" --command='' 2>/dev/null
}

delete_data() {
    find "$PGDATA" -mindepth 1 -delete
}

refuse() {
    printf '%s\n' "$1" >&2
    exit 1
}

case ${1:-start} in
    first)
        ! another_takes_writes || refuse 'there is a database already: start this server without `first`, and it becomes a standby'
        exec docker-enforce-initdb.sh postgres "${settings[@]}"
        ;;
    empty)
        another_takes_writes || refuse 'no other server takes writes: these data may be all there are'
        delete_data
        exit
        ;;
    start) ;;
    *) refuse "what is $1? See the head of database/server.sh" ;;
esac

if [[ ! -s $PGDATA/PG_VERSION ]]; then
    until pg_basebackup --pgdata="$PGDATA" --dbname="$primary" --write-recovery-conf --checkpoint=fast; do
        printf 'no server takes writes yet; asked again in a second\n' >&2
        delete_data
        sleep 1
    done
    chmod 700 "$PGDATA"
elif [[ ! -e $PGDATA/standby.signal ]] && another_takes_writes; then
    # A standby was promoted while this one was away. What only this one has was told to nobody; it must not be taken for the shop's.
    sleep 10
    refuse 'another server takes writes: empty this one, and it becomes a standby (docs/operate/recipe.md)'
fi
exec postgres "${settings[@]}"

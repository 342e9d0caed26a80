//! The kernel through its public interface: database, module host, guard, events, jobs and tokens.

mod bodies;
mod database;
mod event_delivery;
mod event_transactions;
mod following;
mod guard;
mod headers;
mod jobs;
mod migrations;
mod module_conflicts;
mod module_host;
mod probe;
mod rate_limits;
mod recorder;
mod tokens;

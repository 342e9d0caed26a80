//! The kernel through its public interface: database, module host, guard, events, jobs and tokens.

mod anonymized;
mod bodies;
mod database;
mod event_delivery;
mod event_transactions;
mod following;
mod guard;
mod headers;
mod jobs;
mod logs;
mod migrations;
mod module_conflicts;
mod module_host;
mod module_kit;
mod module_rules;
mod outages;
mod probe;
mod rate_limits;
mod recorder;
mod redis_away;
mod redis_proxy;
mod retention;
mod shared_limits;
mod token_life;
mod tokens;
mod wire;

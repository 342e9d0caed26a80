//! The module in a whole shop, on both databases, with a provider in memory and a real endpoint.

mod buying;
mod capacity;
mod commands;
mod ending;
mod endpoint;
mod entitlements;
mod failures;
mod http_provider;
mod memory;
mod observing;
mod personal;
mod products;
mod refunds;
mod routes;
mod setting;
mod switch;

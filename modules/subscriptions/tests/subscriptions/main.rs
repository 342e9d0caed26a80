//! The module in a whole shop, on both databases.

mod cancelling;
mod charging;
mod commands;
mod details;
mod dunning;
mod kit;
mod mails;
mod personal;
mod placing;
mod refunding;
mod renewing;
mod routes;
mod switching;
mod trials;

//! Outbound webhooks: what is sent where, when, and what becomes of it (S3.1, S6.2 to S6.5, contract 5).

mod clocks;
mod commands;
mod configured;
mod destinations;
mod dns;
mod endpoints;
mod events;
mod fire;
mod outcomes;
#[path = "../command_line/place.rs"]
#[expect(dead_code, reason = "shared with the tests of the command line, which use more of it")]
mod place;
mod receiver;
mod receivers_of_others;
mod shop;
mod tls;
mod workers;

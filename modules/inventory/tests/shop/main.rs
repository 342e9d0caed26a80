//! The module in a whole shop, on both databases.

mod availability;
mod cancel;
mod commands;
mod fire;
mod kit;
mod ledger;
mod refund;
mod sell;
mod settings;
mod switch;
mod upgrade;

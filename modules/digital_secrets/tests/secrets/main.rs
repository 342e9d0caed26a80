//! The module in a whole shop, on both databases.

mod availability;
mod backorders;
mod buying;
mod commands;
mod customers;
mod details;
mod filling;
mod fire;
mod generated;
mod keys;
mod leaks;
mod oversight;
mod reading;
mod refunds;
mod replacing;
mod settings;
mod shelf;
mod switched_off;

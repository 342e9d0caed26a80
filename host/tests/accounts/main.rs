//! The customer's own account, addresses and support tickets (S2.3, S2.4, S3.3, S4.3, S4.4, contract 2.3).

mod account;
mod addresses;
mod aliases;
mod bodies;
mod customer;
mod defaults;
mod document;
mod domain;
mod fields;
mod owners;
mod races;
mod rebuilt;
mod tickets;

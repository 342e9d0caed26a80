//! The module in a whole shop, on both databases.

mod bucket;
mod buyers;
mod counting;
mod files;
mod kit;
mod mails;
mod operator;
mod races;

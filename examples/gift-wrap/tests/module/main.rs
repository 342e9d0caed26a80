//! The module in a whole shop, on both databases.

mod http;
mod operator;
mod orders;
mod rules;
mod shelf;

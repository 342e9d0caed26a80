//! The module in a whole shop, on both databases.

mod charges;
mod http;
mod messages;
mod operator;
mod orders;
mod rules;
mod shelf;
mod storefront;

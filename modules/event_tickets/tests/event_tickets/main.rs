//! The module in a whole shop, on both databases.

mod details;
mod door;
mod imports;
mod kit;
mod mails;
mod personal;
mod races;
mod refunds;
mod selling;
mod showing;
mod signing;
mod switching;

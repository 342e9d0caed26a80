//! Buying: from a cart over checkout and payment to a paid, cancelled or expired order (contract 2.2 and 2.3).

mod addresses;
mod attempts;
mod carts;
mod deleting;
mod discounts;
mod expiry;
mod free;
mod guests;
mod idempotency;
mod inspector;
mod limits;
mod orders;
mod paying;
mod personal;
mod races;
mod request;
mod requirements;
mod scripted;
mod shelf;
mod shipping;
mod statements;
mod taxes;
mod totals;
mod vetoes;

//! Who may use which route: one walk over the whole route table, so that no route can be forgotten.
//!
//! A route that is new has no sample request yet, and fails these tests until it has one.

mod everybody;
mod methods;
mod order_keys;
mod owners;
mod samples;
mod sessions;
mod table;
mod tokens;

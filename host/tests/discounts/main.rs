//! Discount codes: who can still use them, and that nobody uses them too often (contract 2.2).

mod checking;
mod placed;
mod races;
mod releasing;

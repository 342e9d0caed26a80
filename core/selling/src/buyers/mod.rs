//! Customers as operators look for them, with how often they have bought.

mod queries;
mod search;

pub use search::{Bought, CustomerListed, CustomerSearch, CustomerState, count_customers, search_customers};

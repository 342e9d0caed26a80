//! Customers and the users behind them (S1 rule 5: their ids differ).

mod create;
mod queries;

pub use create::{CreateCustomerError, CustomerRecord, NewCustomer, create_customer, find_customer};

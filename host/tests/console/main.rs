//! The operator's console: who is let in, what they see, and what they leave behind.

mod acts;
mod authenticator;
mod bad_input;
mod camera;
mod categories;
mod customers;
mod discounts;
mod documents;
mod door;
mod factor;
mod forms;
mod guard;
mod imports;
mod kept;
mod modules;
mod operation;
mod orders;
mod passkeys;
mod payments;
mod people;
mod products;
mod reports;
mod shelf;
mod support;
mod withdrawals;
mod writes;

//! Invoices, refunds and credit notes, from the order to the last cent that goes back.

mod amounts;
mod crashes;
mod electronic;
mod invoices;
mod many;
mod numbering;
mod pdf;
mod provider;
mod refunds;
mod reports;
mod series;
mod shelf;
mod till;
mod units;
mod verifying;

//! The module in a whole shop, on both databases.

mod bought;
mod command;
mod console;
mod jobs;
mod mails;
mod panel;
mod personal;
mod routes;
mod shelf;
mod watching;

use stoa_core::testing::broken_rules;

use crate::shelf::entry;

#[tokio::test]
async fn the_module_keeps_the_rules_of_all_modules() {
    assert_eq!(broken_rules(entry()).await, [""; 0]);
}

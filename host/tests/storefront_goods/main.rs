//! What was bought from modules, on the pages of the storefront: by the link of the order, and in the account.

mod by_link;
mod kit;
mod stock;
mod subscriptions;

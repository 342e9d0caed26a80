//! What was bought from modules, on the pages of the storefront: by the link of the order, and in the account; and the mail that leads
//! there.

mod by_link;
mod kit;
mod mails;
mod stock;
mod subscriptions;

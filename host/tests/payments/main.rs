//! Payments from the order to the provider's own message, against fakes of the providers (S4.6, contract 2.3).

mod at_once;
mod counted;
mod crashes;
mod flood;
mod late;
mod listening;
mod mismatch;
mod mollie;
mod paypal;
mod reconcile;
mod refunds;
mod repeated;
mod route;
mod saved;
mod slow;
mod stripe;
mod till;
mod unmatched;
mod unverified;

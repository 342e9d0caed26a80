//! Outgoing mail, and the links that it brings to customers.

mod delivery;
mod encryption;
mod language;
mod link;
mod orders;
mod pages;
mod postbox;
mod registration;
mod reset;
mod unconfigured;

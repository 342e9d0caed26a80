//! Outgoing mail, and the links that it brings to customers.

mod delivery;
mod encryption;
mod html;
mod language;
mod link;
mod modules;
mod orders;
mod pages;
mod registration;
mod reset;
mod unconfigured;

//! First-party sessions (contract 2.4) through HTTP.

mod cookies;
mod credentials;
mod csrf;
mod lifetime;
mod registration;
mod usage;

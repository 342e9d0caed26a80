//! First-party sessions (contract 2.4) through HTTP.

mod changed_password;
mod cookies;
mod credentials;
mod csrf;
mod lifetime;
mod limits;
mod registration;
mod usage;

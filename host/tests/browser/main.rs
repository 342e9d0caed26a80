//! Pages in a browser: what they show, what their forms do, and that they need nothing else.
//!
//! The browser is Chromium, found on the search path. Without it these tests are left out, with a line that says so;
//! with `STOA_REQUIRE_CHROMIUM=1` that is a failure.

mod chromium;
mod clients;
mod console;
mod demo_shop;
mod reference;
mod storefront;
mod sweep;
mod visit;
mod watch;

//! The page `/development/api` in a browser: what it shows, what its console does, and that it needs nothing else.
//!
//! The browser is Chromium, found on the search path. Without it these tests are left out, with a line that says so;
//! with `STOA_REQUIRE_CHROMIUM=1` that is a failure.

mod appearance;
mod chromium;
mod console;
mod demo_shop;
mod operations;
mod policy;
mod visit;
mod watch;

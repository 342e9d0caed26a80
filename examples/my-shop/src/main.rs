//! A shop of one's own: everything that `stoa` has, and the module `gift_wrap`.
// A module whose crate is in Cargo.toml but not linked below is refused by the compiler.
#![cfg_attr(not(test), deny(unused_crate_dependencies))]

use std::process::ExitCode;

// This line links the crate. Without it the module would not be part of the program.
use stoa_gift_wrap as _;

fn main() -> ExitCode {
    stoa::run()
}

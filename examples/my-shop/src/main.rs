//! A shop of one's own: everything that `stoa` has, and the module `gift_wrap`.

use std::process::ExitCode;

// This line links the crate. Without it the module would not be part of the program.
use stoa_gift_wrap as _;

fn main() -> ExitCode {
    stoa::run()
}

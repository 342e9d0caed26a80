//! The `stoa` binary.

use std::process::ExitCode;

fn main() -> ExitCode {
    stoa::run()
}

//! The TypeScript client and the storefront that begins with it, on a real shop.
//!
//! They need Node.js, and what `npm ci` in `examples/starter-storefront` has brought. Without these they are left out, with a line that says so;
//! with `STOA_REQUIRE_NODE=1` that is a failure.

mod starter;
mod typescript;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use stoa_core::testing::leave_out;

use crate::chromium::variable;

/// The oldest version of Node.js that will do.
const OLDEST: u32 = 20;

fn folder(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(path)
}

fn client() -> PathBuf {
    folder("clients/typescript")
}

fn starter() -> PathBuf {
    folder("examples/starter-storefront")
}

/// Whether Node.js is there with what the client needs, which is built then.
fn is_ready() -> bool {
    static READY: LazyLock<Result<(), String>> = LazyLock::new(prepare);
    let Err(reason) = &*READY else { return true };
    assert!(
        variable("STOA_REQUIRE_NODE").is_none_or(|value| value != "1"),
        "tests of the TypeScript client are required, but {reason}"
    );
    leave_out("tests of the TypeScript client", reason);
    false
}

/// Builds the client, once for all tests of this process.
fn prepare() -> Result<(), String> {
    let version = Command::new("node").arg("--version").output();
    let version = version.map_err(|error| format!("node cannot be started ({error})"))?.stdout;
    let version = String::from_utf8_lossy(&version).trim().to_owned();
    let major = version.trim_start_matches('v').split('.').next().and_then(|major| major.parse::<u32>().ok());
    if major.is_none_or(|major| major < OLDEST) {
        return Err(format!("node is {version}, and has to be {OLDEST} or later"));
    }
    for package in [client(), starter()] {
        if !package.join("node_modules").is_dir() {
            return Err("`npm ci` has to run in examples/starter-storefront first".to_owned());
        }
    }
    let built = Command::new("npm").args(["run", "build"]).current_dir(client()).output();
    let built = built.map_err(|error| format!("npm cannot be started ({error})"))?;
    let said = String::from_utf8_lossy(&built.stdout) + String::from_utf8_lossy(&built.stderr);
    assert!(built.status.success(), "the client cannot be built: {said}");
    Ok(())
}

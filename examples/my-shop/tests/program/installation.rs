//! A folder with a shop in it, and the program run there.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

pub(crate) const PASSWORD: &str = "a long enough password";

/// A folder with a configuration that enables or disables `gift_wrap`.
pub(crate) fn installation(enabled: bool) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let config = format!("[server]\nlisten = \"127.0.0.1:0\"\n\n[modules.gift_wrap]\nenabled = {enabled}\n");
    fs::write(folder.path().join("config.toml"), config).expect("the configuration is written");
    folder
}

pub(crate) fn my_shop(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_my-shop"));
    command.current_dir(folder).args(arguments);
    command
}

pub(crate) fn run(folder: &Path, arguments: &[&str]) -> Output {
    my_shop(folder, arguments).output().expect("the program starts")
}

pub(crate) fn json_of(folder: &Path, arguments: &[&str]) -> Value {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("the output is JSON")
}

pub(crate) fn with_customer(enabled: bool) -> TempDir {
    let folder = installation(enabled);
    let migrated = run(folder.path(), &["migrate"]);
    assert!(migrated.status.success(), "{}", String::from_utf8_lossy(&migrated.stderr));
    let create = ["customer", "create", "--email", "ada@example.com", "--name", "Ada", "--password", PASSWORD];
    let created = run(folder.path(), &create);
    assert!(created.status.success(), "{}", String::from_utf8_lossy(&created.stderr));
    folder
}

/// How a command has ended: exit code, standard output and standard error.
pub(crate) fn ended(folder: &Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let output = run(folder, arguments);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// What a command that must succeed has written.
#[track_caller]
pub(crate) fn written(folder: &Path, arguments: &[&str]) -> String {
    let (code, output, error) = ended(folder, arguments);
    assert_eq!(code, Some(0), "{arguments:?}: {error}");
    output
}

/// What a command says that must fail with this code, without a result.
#[track_caller]
pub(crate) fn refused(folder: &Path, arguments: &[&str], code: i32) -> String {
    let (ended, output, error) = ended(folder, arguments);
    assert_eq!((ended, output.as_str()), (Some(code), ""), "{arguments:?}: {error}");
    assert!(!error.contains("panicked"), "{error}");
    error
}

//! Telling which tests did not run.

use std::io::Write;
use std::sync::{Mutex, PoisonError};

/// Says why tests do not run, once for each kind of them: `tests` is the beginning of the sentence, such as `tests in a browser`.
///
/// A test that lacks something on this machine says so here and returns. What it prints by itself is hidden by test
/// runners, so that nobody would see that it was left out.
pub fn leave_out(tests: &str, reason: &str) {
    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.iter().any(|said| said == tests) {
        said.push(tests.to_owned());
        // Not `eprintln!`, which test runners hide when the test succeeds.
        let _ = writeln!(std::io::stderr(), "{tests} were left out: {reason}");
    }
}

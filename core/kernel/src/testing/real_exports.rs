//! Product files that other shop systems have written, in a folder that may stand beside the project.

use std::path::{Path, PathBuf};

use super::leave_out;

/// The file of this name in the folder `shared/data` beside the project; where it is missing, nothing, and tests of such
/// files say that they were left out.
pub fn real_export(name: &str) -> Option<PathBuf> {
    let mut beside =
        Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().map(|folder| folder.join("shared/data").join(name));
    let found = beside.find(|path| path.is_file());
    if found.is_none() {
        leave_out("tests of real product files", &format!("there is no shared/data/{name} beside the project"));
    }
    found
}

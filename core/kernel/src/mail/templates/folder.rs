//! The operator's folder with their own texts.

use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

use super::piece::TemplateProblem;
use crate::config::{ConfigProblem, Origin, Position};

/// Bytes of the longest text.
const MAX_LENGTH: u64 = 64 << 10;

/// A text of the operator's, and the file that it stands in.
pub(super) struct OwnText {
    pub(super) file: String,
    pub(super) text: String,
}

/// The operator's own text of this name, if there is one.
pub(super) fn own_text(folder: Option<&Path>, name: &str) -> Result<Option<OwnText>, ConfigProblem> {
    let Some(path) = folder.map(|folder| folder.join(name)) else { return Ok(None) };
    let text = read(&path)?;
    Ok(text.map(|text| OwnText { file: path.display().to_string(), text }))
}

/// Texts whose names say nothing: whoever misspells one would wonder why it is not sent.
pub(super) fn unknown_files(folder: &Path, names: &[String]) -> Vec<ConfigProblem> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => {
            let message = format!("`mail.templates`: the folder of templates cannot be read: {error}");
            return vec![ConfigProblem::new(file(folder), message)];
        }
    };
    let mut unknown = entries.flatten().map(|entry| entry.path()).collect::<Vec<_>>();
    unknown.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        path.extension().is_some_and(|ending| ending == "txt" || ending == "html")
            && !names.iter().any(|own| own == name)
    });
    unknown.sort();
    let told = |path: &PathBuf| {
        let is_html = path.extension().is_some_and(|ending| ending == "html");
        let (what, ending) = if is_html { ("HTML", ".html") } else { ("text", ".txt") };
        let known = names.iter().filter(|name| name.ends_with(ending)).map(String::as_str).collect::<Vec<_>>();
        let message = format!("this is the {what} of no mail; there are {}", known.join(", "));
        ConfigProblem::new(file(path), message)
    };
    unknown.iter().map(told).collect()
}

/// The text of a file; none when it is not there.
fn read(path: &Path) -> Result<Option<String>, ConfigProblem> {
    let refused = |reason: &str| ConfigProblem::new(file(path), format!("the template cannot be read: {reason}"));
    let opened = match fs::File::open(path) {
        Ok(opened) => opened,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(refused(&error.to_string())),
    };
    let mut bytes = Vec::new();
    opened.take(MAX_LENGTH + 1).read_to_end(&mut bytes).map_err(|error| refused(&error.to_string()))?;
    if bytes.len() as u64 > MAX_LENGTH {
        return Err(refused("it is longer than 64 KiB"));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| refused("it is not UTF-8"))
}

fn file(path: &Path) -> Origin {
    Origin::File { file: path.display().to_string().into(), position: None }
}

/// A problem of a text as one of the configuration.
pub(super) fn placed(file: &str, problem: TemplateProblem) -> ConfigProblem {
    let position = Some(Position { line: problem.line, column: problem.column });
    ConfigProblem::new(Origin::File { file: file.into(), position }, problem.message)
}

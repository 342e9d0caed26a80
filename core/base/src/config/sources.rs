//! Where settings come from: the layers of the configuration, lowest first.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use figment::Figment;
use figment::value::{Dict, Value};

use super::error::{ConfigError, ConfigProblem, Origin};
use super::layer::Layer;
use super::misnamed::{MisnamedVariable, misnamed_variables};
use super::tree::{FileText, Tree, parse_defaults};

/// The configuration that every installation starts from, and that operators read.
pub(super) const DEFAULTS: &str = include_str!("../../config.toml");

/// The file that is read when no other is named.
const DEFAULT_FILE: &str = "config.toml";

/// Begins the name of each environment variable that is a setting.
pub(super) const PREFIX: &str = "STOA_";

/// Stands between the levels of a key in such a name.
pub(super) const LEVEL: &str = "__";

/// What [`Config::load`](super::Config::load) reads.
///
/// ```
/// # extern crate stoa_base as stoa_core;
/// use stoa_core::config::{Config, Sources};
///
/// let sources = Sources::new("/nowhere")
///     .environment([("STOA_SERVER__LISTEN", "127.0.0.1:9000")])
///     .flag("shop.name", "My shop");
/// let loaded = Config::load(sources)?;
///
/// assert_eq!(loaded.config.server.listen.port(), 9000);
/// assert_eq!(loaded.config.shop.name, "My shop");
/// # Ok::<(), stoa_core::config::ConfigError>(())
/// ```
#[derive(Clone)]
pub struct Sources {
    working_directory: PathBuf,
    file: Option<PathBuf>,
    environment: Vec<(OsString, OsString)>,
    flags: Vec<(String, Value)>,
}

impl Sources {
    /// The defaults, and `config.toml` in the working directory if it is there.
    pub fn new(working_directory: impl Into<PathBuf>) -> Self {
        Self { working_directory: working_directory.into(), file: None, environment: Vec::new(), flags: Vec::new() }
    }

    /// Reads this file, which must exist, instead of `config.toml` (`--config FILE`).
    #[must_use]
    pub fn file(mut self, file: impl Into<PathBuf>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// Lays environment variables over the file, as `std::env::vars_os` lists them.
    ///
    /// Those without `STOA_` in front and `__` between levels are no settings, and left alone.
    #[must_use]
    pub fn environment<N, V>(mut self, variables: impl IntoIterator<Item = (N, V)>) -> Self
    where
        N: Into<OsString>,
        V: Into<OsString>,
    {
        self.environment.extend(variables.into_iter().map(|(name, value)| (name.into(), value.into())));
        // A table's own variable comes before those of its keys.
        self.environment.sort();
        self
    }

    /// Lays one setting over everything else; `key` is its full name, such as `server.listen`.
    #[must_use]
    pub fn flag(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.flags.push((key.into(), value.into()));
        self
    }

    /// The lowest layer alone.
    pub(super) fn defaults() -> Tree {
        let defaults = parse_defaults(DEFAULTS);
        Tree::new(Figment::from(Layer::defaults(defaults.clone())), FileText::default(), defaults)
    }

    /// Reads all layers and lays them over one another.
    pub(super) fn read(self) -> Result<Layers, ConfigError> {
        let defaults = parse_defaults(DEFAULTS);
        let mut figment = Figment::from(Layer::defaults(defaults.clone()));
        let mut text = FileText::default();
        let mut problems = Vec::new();

        let file = self.choose_file();
        if let Some((file, name)) = &file {
            match read_file(file, name) {
                Ok((read, settings)) => {
                    text = read;
                    figment = figment.merge(Layer::file(file, name.clone(), settings));
                }
                Err(problem) => problems.push(problem),
            }
        }
        for (name, value) in &self.environment {
            let Some(key) = key_of(name) else { continue };
            let name = format!("{PREFIX}{key}");
            let Some(value) = value.to_str() else {
                let problem = "the value of this variable is not UTF-8 text";
                problems.push(ConfigProblem::new(Origin::Variable(name.into()), problem));
                continue;
            };
            let layer = Layer::variable(name, &key.to_ascii_lowercase(), value, &figment);
            figment = figment.merge(layer);
        }
        for (key, value) in self.flags {
            let layer = Layer::option(&key, value, &figment);
            figment = figment.merge(layer);
        }

        ConfigError::unless_empty(problems)?;
        // Below all of them once more: what is no table hides the defaults of a table, and a higher layer may make it one again.
        figment = figment.join(Layer::defaults(defaults.clone()));
        let tree = Tree::new(figment, text, defaults);
        let file = file.map(|(file, _)| file);
        let folder = file.as_deref().and_then(Path::parent).unwrap_or(&self.working_directory).to_owned();
        let misnamed = misnamed_variables(&self.environment);
        Ok(Layers { tree, file, folder, misnamed })
    }

    /// The file to read, if any, and the name by which the operator knows it.
    fn choose_file(&self) -> Option<(PathBuf, String)> {
        let (name, is_required) = match &self.file {
            Some(file) => (file.as_path(), true),
            None => (Path::new(DEFAULT_FILE), false),
        };
        let file = self.working_directory.join(name);
        // Something that is there and cannot be looked at is an error, not an absent file.
        let is_there = || file.try_exists().unwrap_or(true);
        (is_required || is_there()).then(|| (file.clone(), name.display().to_string()))
    }
}

/// The layers, and where they are from.
pub(super) struct Layers {
    /// All of them, laid over one another.
    pub(super) tree: Tree,
    /// The file that was read.
    pub(super) file: Option<PathBuf>,
    /// Where relative paths start.
    pub(super) folder: PathBuf,
    /// Variables that are no settings, and look as if they were meant to be.
    pub(super) misnamed: Vec<MisnamedVariable>,
}

fn read_file(file: &Path, name: &str) -> Result<(FileText, Dict), ConfigProblem> {
    let problem = |message| ConfigProblem::new(Origin::File { file: name.into(), position: None }, message);
    let bytes = std::fs::read(file).map_err(|error| match error.kind() {
        ErrorKind::NotFound => problem("there is no such configuration file".to_owned()),
        ErrorKind::PermissionDenied => problem(
            "you may not read this configuration file; run the command as the user whom it belongs to".to_owned(),
        ),
        _ => problem(format!("this configuration file cannot be read: {error}")),
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let readable = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = readable.split(|&byte| byte == b'\n').count();
        problem(format!("line {line} is not UTF-8 text; save the file as UTF-8"))
    })?;
    FileText::parse(text, name)
}

/// The key that an environment variable sets, if it is a setting.
fn key_of(name: &OsStr) -> Option<&str> {
    name.to_str()?.strip_prefix(PREFIX).filter(|key| key.contains(LEVEL))
}

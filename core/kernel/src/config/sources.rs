//! Where settings come from: the layers of the configuration, lowest first.

use std::ffi::{OsStr, OsString};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::error::{ConfigError, ConfigProblem, Origin};
use super::misnamed::{MisnamedVariable, misnamed_variables};
use super::tree::{Content, KeyPath, Node, parse_defaults, parse_file};

/// The configuration that every installation starts from, and that operators read.
pub(super) const DEFAULTS: &str = include_str!("../../config.toml");

/// The file that is read when no other is named.
const DEFAULT_FILE: &str = "config.toml";

/// Begins the name of each environment variable that is a setting.
pub(super) const PREFIX: &str = "STOA_";

/// What [`Config::load`](super::Config::load) reads.
///
/// ```
/// # extern crate stoa_kernel as stoa_core;
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
    flags: Vec<(String, toml::Value)>,
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
    pub fn flag(mut self, key: impl Into<String>, value: impl Into<toml::Value>) -> Self {
        self.flags.push((key.into(), value.into()));
        self
    }

    /// Reads all layers and lays them over one another.
    pub(super) fn read(self) -> Result<Layers, ConfigError> {
        let defaults = parse_defaults(DEFAULTS);
        let mut root = defaults.clone();
        let mut problems = Vec::new();

        let file = self.choose_file();
        if let Some((file, name)) = &file {
            match read_file(file, name) {
                Ok(layer) => root.lay_over(layer),
                Err(problem) => problems.push(problem),
            }
        }
        for (name, value) in &self.environment {
            problems.extend(lay_variable_over(&mut root, name, value).err());
        }
        for (key, value) in self.flags {
            let path = key.split('.').fold(KeyPath::root(), |path, key| path.key(key));
            let content = Content::from_toml(value, &path, &Origin::CommandLine);
            root.set(&key.split('.').collect::<Vec<_>>(), content, &Origin::CommandLine);
        }

        ConfigError::unless_empty(problems)?;
        let file = file.map(|(file, _)| file);
        let folder = file.as_deref().and_then(Path::parent).unwrap_or(&self.working_directory).to_owned();
        let misnamed = misnamed_variables(&self.environment);
        Ok(Layers { defaults, root, file, folder, misnamed })
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

/// All layers, laid over one another.
pub(super) struct Layers {
    /// The lowest layer alone.
    pub(super) defaults: Node,
    /// All of them.
    pub(super) root: Node,
    /// The file that was read.
    pub(super) file: Option<PathBuf>,
    /// Where relative paths start.
    pub(super) folder: PathBuf,
    /// Variables that are no settings, and look as if they were meant to be.
    pub(super) misnamed: Vec<MisnamedVariable>,
}

fn read_file(file: &Path, name: &str) -> Result<Node, ConfigProblem> {
    let problem = |message| ConfigProblem::new(Origin::File { file: name.into(), position: None }, message);
    let bytes = std::fs::read(file).map_err(|error| match error.kind() {
        ErrorKind::NotFound => problem("there is no such configuration file".to_owned()),
        _ => problem(format!("this configuration file cannot be read: {error}")),
    })?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let readable = &error.as_bytes()[..error.utf8_error().valid_up_to()];
        let line = readable.split(|&byte| byte == b'\n').count();
        problem(format!("line {line} is not UTF-8 text; save the file as UTF-8"))
    })?;
    parse_file(&text, name)
}

/// Lays one environment variable over the tree, if it is a setting.
fn lay_variable_over(root: &mut Node, name: &OsStr, value: &OsStr) -> Result<(), ConfigProblem> {
    let Some(key) = name.to_str().and_then(|name| name.strip_prefix(PREFIX)).filter(|key| key.contains("__")) else {
        return Ok(());
    };
    let origin = Origin::Variable(Arc::from(format!("{PREFIX}{key}")));
    let Some(value) = value.to_str() else {
        return Err(ConfigProblem::new(origin, "the value of this variable is not UTF-8 text"));
    };
    let key = key.to_ascii_lowercase();
    let keys: Vec<_> = key.split("__").collect();
    root.set(&keys, Content::Variable(value.to_owned()), &origin);
    Ok(())
}

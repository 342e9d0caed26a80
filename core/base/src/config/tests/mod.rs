//! Configuration as an operator meets it: files, variables and flags in, settings or one message out.

mod every_setting;
mod example;
mod layers;
mod modules;
mod refusals;
mod secrets;
mod unknown_keys;
mod wrong_values;

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use super::{Config, ConfigError, LoadedConfig, Sources};

/// A certificate authority (PEM), of which nobody has the key.
const AUTHORITY: &str = include_str!("authority.pem");

/// An empty folder to put configuration files in and to load them from.
struct ConfigFolder {
    folder: TempDir,
}

impl ConfigFolder {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().expect("a folder can be made") }
    }

    /// A place with this `config.toml`.
    fn with_config(text: &str) -> Self {
        Self::new().with_file("config.toml", text)
    }

    fn with_file(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        let file = self.path().join(name);
        fs::create_dir_all(file.parent().expect("the file is in a folder")).expect("the folder can be made");
        fs::write(file, content).expect("the file can be written");
        self
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    fn sources(&self) -> Sources {
        Sources::new(self.path())
    }

    fn load(&self) -> Result<LoadedConfig, ConfigError> {
        Config::load(self.sources())
    }
}

/// The settings in this `config.toml`, which are right.
#[track_caller]
fn config(text: &str) -> Config {
    match ConfigFolder::with_config(text).load() {
        Ok(loaded) => loaded.config,
        Err(error) => panic!("refused: {error}"),
    }
}

/// What is said about this `config.toml`, which is wrong.
#[track_caller]
fn refusal(text: &str) -> String {
    message(ConfigFolder::with_config(text).load())
}

/// What is said about this environment, in a folder without a file.
#[track_caller]
fn refusal_of_variable(name: &str, value: &str) -> String {
    let place = ConfigFolder::new();
    message(Config::load(place.sources().environment([(name, value)])))
}

#[track_caller]
fn message(result: Result<LoadedConfig, ConfigError>) -> String {
    result.map(|loaded| loaded.config).expect_err("it is refused").to_string()
}

//! What a module is, and how it is found.

use std::any::TypeId;
use std::fmt;
use std::path::Path;

use serde::de::DeserializeOwned;

use super::context::{ModuleContext, RegisterError};
use super::fields::fields_of;
use crate::config::{ConfigError, ConfigProblem, ModuleSection};

/// A module of the shop.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no module",
    note = "a module has a `NAME`, a `Config` and `register`, in an `impl Module`"
)]
pub trait Module: Sized + Send + Sync + 'static {
    /// The key under `[modules]`, the start of its own abilities and of its tables' names, such as
    /// `gift_wrap`.
    const NAME: &'static str;

    /// What the module can do to products: capability keys that are available while it is enabled
    /// (S2.1, S4.2 rule 6).
    const CAPABILITIES: &'static [&'static str] = &[];

    /// The module's own settings, the keys of `[modules.<name>]` besides `enabled`.
    type Config: ModuleConfig;

    /// Puts everything the module has into the tables. Does no I/O and spawns nothing, so that a
    /// disabled module can be described too.
    fn register(config: Self::Config, cx: &mut ModuleContext<'_>) -> Result<(), RegisterError>;
}

/// A module's typed settings. Use `#[serde(default, deny_unknown_fields)]`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no type of a module's settings",
    note = "implement `ModuleConfig` for it, which needs no function, and derive `Default` and `Deserialize`",
    note = "a module without settings has `type Config = ()`"
)]
pub trait ModuleConfig: DeserializeOwned + Default {
    /// Makes relative paths start at `folder`, that of the configuration file. Nothing by default.
    fn resolve_paths(&mut self, folder: &Path) {
        let _ = folder;
    }

    /// Checks what types cannot say. The error is `(key, what was expected)`.
    fn validate(&self) -> Result<(), (&'static str, String)> {
        Ok(())
    }
}

/// A module without settings.
impl ModuleConfig for () {}

type RegisterFn = fn(Option<&ModuleSection>, &Path, &mut ModuleContext<'_>) -> Result<(), EntryError>;

/// Why an entry could not be registered.
pub(crate) enum EntryError {
    Config(Vec<ConfigProblem>),
    Register(RegisterError),
}

/// A linked module, as it is collected.
#[derive(Clone, Copy)]
pub struct ModuleEntry {
    /// The module's type, which tells two of one name apart.
    pub kind: TypeId,
    /// [`Module::NAME`].
    pub name: &'static str,
    /// The crate that brings the module.
    pub crate_name: &'static str,
    /// That crate's version.
    pub version: &'static str,
    /// [`Module::CAPABILITIES`].
    pub capabilities: &'static [&'static str],
    /// The folder of that crate's sources, if this program was compiled for development.
    pub folder: Option<&'static str>,
    /// The keys of [`Module::Config`].
    pub(crate) settings: fn() -> &'static [&'static str],
    pub(crate) register: RegisterFn,
}

impl fmt::Debug for ModuleEntry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} {})", self.name, self.crate_name, self.version)
    }
}

impl ModuleEntry {
    /// The entry of a module type; used by [`module!`](macro@crate::module).
    pub const fn of<M: Module>(crate_name: &'static str, version: &'static str) -> Self {
        Self {
            kind: TypeId::of::<M>(),
            name: M::NAME,
            crate_name,
            version,
            capabilities: M::CAPABILITIES,
            folder: None,
            settings: fields_of::<M::Config>,
            register: register::<M>,
        }
    }

    /// The same with the folder of the crate's sources.
    #[must_use]
    pub const fn in_folder(mut self, folder: &'static str) -> Self {
        self.folder = Some(folder);
        self
    }

    /// The keys of the module's settings besides `enabled`; none where the type takes any.
    pub fn settings(&self) -> &'static [&'static str] {
        (self.settings)()
    }
}

fn register<M: Module>(
    section: Option<&ModuleSection>,
    folder: &Path,
    cx: &mut ModuleContext<'_>,
) -> Result<(), EntryError> {
    let mut config = match section {
        Some(section) => {
            let config =
                section.decode::<M::Config>().map_err(|error| EntryError::Config(ConfigError::into_problems(error)))?;
            config.validate().map_err(|(key, expected)| EntryError::Config(vec![section.problem(key, &expected)]))?;
            config
        }
        None => M::Config::default(),
    };
    config.resolve_paths(folder);
    M::register(config, cx).map_err(EntryError::Register)
}

inventory::collect!(ModuleEntry);

/// Makes a type that implements [`Module`](crate::module::Module) known to every program that
/// links this crate.
#[macro_export]
macro_rules! module {
    ($module:ty) => {
        $crate::__private::inventory::submit! {
            {
                let entry =
                    $crate::module::ModuleEntry::of::<$module>(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
                // What is released must not depend on where it was compiled.
                if cfg!(debug_assertions) { entry.in_folder(env!("CARGO_MANIFEST_DIR")) } else { entry }
            }
        }
    };
}

//! What a command of a module is, and what it gets.

use std::future::Future;
use std::path::PathBuf;

use super::failure::Failure;
use super::output::Output;
use crate::from_shop::ShopParts;

/// The commands of a module: `stoa <NAME> …`, parsed by clap.
///
/// ```
/// # extern crate stoa_kernel as stoa_core;
/// use clap::{Args, Subcommand};
/// use stoa_core::prelude::*;
///
/// /// Look after notes.
/// #[derive(Args)]
/// #[command(after_help = "Examples:\n  stoa notes now")]
/// struct NotesCommand {
///     #[command(subcommand)]
///     action: Action,
/// }
///
/// #[derive(Subcommand)]
/// enum Action {
///     /// Tell the time that notes would be given now.
///     Now,
/// }
///
/// impl ModuleCommand for NotesCommand {
///     const NAME: &'static str = "notes";
///     type State = ();
///
///     async fn run(self, (): &(), cx: &CommandContext) -> Result<(), Failure> {
///         match self.action {
///             Action::Now => cx.output.line(&shown_time(cx.parts.db.now())),
///         }
///     }
/// }
///
/// fn register(cx: &mut ModuleContext<'_>) {
///     cx.command::<NotesCommand>(());
/// }
/// # let _ = register;
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no command",
    note = "a command derives `clap::Args`, and has a `NAME`, a `State` and `run`, in an `impl ModuleCommand`"
)]
pub trait ModuleCommand: clap::Args + Send + 'static {
    /// The command's name: the module's, with dashes.
    const NAME: &'static str;

    /// What it works with besides the shop, such as the module's settings.
    type State: Clone + Send + Sync + 'static;

    /// Does what was asked for. Results go to `cx.output`, refusals are a [`Failure`].
    fn run(self, state: &Self::State, cx: &CommandContext) -> impl Future<Output = Result<(), Failure>> + Send;
}

/// A command of a module that needs neither the shop nor its database, nor that the module is on: it writes files to begin with, for
/// example. It is registered with [`ModuleContext::tool`](crate::module::ModuleContext::tool).
pub trait ModuleTool: clap::Args + Send + 'static {
    /// The command's name: the module's, with dashes.
    const NAME: &'static str;

    /// Does what it is for. Results go to the output, refusals are a [`Failure`].
    fn run(self, bench: &Bench) -> Result<(), Failure>;
}

/// What a command gets that needs no shop.
pub struct Bench {
    /// Where relative paths in arguments start.
    pub folder: PathBuf,
    /// Where results go.
    pub output: Output,
}

/// What a command of a module gets besides its arguments.
pub struct CommandContext {
    /// The shop, on a database whose migrations are all applied.
    pub parts: ShopParts,
    /// Where relative paths in arguments start.
    pub folder: PathBuf,
    /// Where results go.
    pub output: Output,
}
